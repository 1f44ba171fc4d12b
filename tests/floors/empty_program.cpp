// A program without calls, for tests of the undefined symbols of libraries.
int main() {}
