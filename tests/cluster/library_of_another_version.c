/* Refuses every program, as Boxcar's libraries do with programs of another version. */
void* boxcar_join_substrate(const char* version);

void* boxcar_join_substrate(const char* version) {
  (void)version;
  return 0;
}
