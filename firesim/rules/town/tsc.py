
from numba.extending import intrinsic
from numba.core import types
from llvmlite import ir
@intrinsic
def tsc(typingctx):
    sig = types.int64()
    def codegen(context, builder, signature, args):
        fn = builder.module.declare_intrinsic("llvm.readcyclecounter", (), ir.FunctionType(ir.IntType(64), []))
        return builder.call(fn, [])
    return sig, codegen
