"""Files are written whole or not at all."""

import errno
import os

import pytest

from firesim.core.files import writable, writing
from firesim.core.problems import InputError


def write_half(target, failure):
    with writing(target) as unfinished:
        unfinished.write_text("half")
        raise failure


def test_a_finished_file_takes_its_name(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with writing(target) as unfinished:
        unfinished.write_text("new")
        assert target.read_text() == "old"
        assert unfinished.parent == target.parent
        assert unfinished.suffix == ".txt"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("failure", [RuntimeError("bug"), KeyboardInterrupt()])
def test_a_failure_midway_leaves_nothing(tmp_path, failure):
    target = tmp_path / "a.txt"
    with pytest.raises(type(failure)):
        write_half(target, failure)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_told_and_leaves_the_old_file(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(InputError, match="no space left") as told:
        write_half(target, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert len(told.value.problems) == 1
    assert "\n" not in str(told.value)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_error_about_another_file_is_not_taken_for_ours(tmp_path):
    with pytest.raises(FileNotFoundError), writing(tmp_path / "a.txt"):
        (tmp_path / "elsewhere").read_text()


def test_a_missing_folder_is_named_with_how_to_make_it(tmp_path):
    with pytest.raises(InputError, match=r"there is no folder .*mkdir -p"):
        writable(tmp_path / "no" / "a.txt")


def test_a_folder_in_place_of_a_file_and_the_reverse_are_told(tmp_path):
    with pytest.raises(InputError, match="this is a folder"):
        writable(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, not a folder"):
        writable(tmp_path / "file" / "a.txt")


def test_a_wrong_suffix_is_told_with_the_right_ones(tmp_path):
    with pytest.raises(InputError, match=r"ends in '\.jpg': expected a name ending in \.gif or \.mp4"):
        writable(tmp_path / "a.jpg", (".gif", ".mp4"))
    with pytest.raises(InputError, match="no suffix"):
        writable(tmp_path / "a", (".png",))
    assert writable(tmp_path / "A.PNG", (".png",)).name == "A.PNG"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_told(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="cannot write"), writing(tmp_path / "a.txt") as unfinished:
            unfinished.write_text("x")
    finally:
        tmp_path.chmod(0o700)
