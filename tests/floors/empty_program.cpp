// A program that calls nothing, for tests of what libraries leave undefined.
int main() {}
