"""The drawing room: pictures, animations and burn maps of any system's scenes."""
