// The source file of the targets that make precompiled headers: CMake wants a source file.
