"""The files that hold other files: ZIP, OLE, and the packages of Office."""
