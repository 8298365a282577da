/* A list of records by number, as somebody asks for them: one number a line, counted from 0. It is public, like the records. */
#ifndef COMMAND_ROW_LIST_H
#define COMMAND_ROW_LIST_H

#include <stddef.h>

/* The numbers, each below `records`, to be freed. An empty list is refused. Returns an exit code (error.h). */
int row_list_read(const char *path, size_t records, size_t **row, size_t *count);

#endif
