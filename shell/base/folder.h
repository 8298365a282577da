/* Folders that results go into: made with their parents, and taken away again where nothing came of it. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stddef.h>

/* Makes the folder and those above it that are not there. *kept is the length of the part of `path` that was there
 * before. Returns 0, or -1 with errno set and nothing left behind; no line is printed. */
int folder_make(const char *path, size_t *kept);

/* Removes what folder_make made, as far as it is empty. */
void folder_unmake(const char *path, size_t kept);

#endif
