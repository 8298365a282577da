/* Answers as text. */
#ifndef GATE_ANSWERS_H
#define GATE_ANSWERS_H

#include <stdio.h>

/* The class name, quoted where CSV asks for it, or `silent` for NULL; and the same with the line's end. */
void answers_name(FILE *stream, const char *name);
void answers_print(FILE *stream, const char *name);

/* The same for a JSON object that has begun with its id and a comma: ` "answer": "no"}`, or null. */
void answers_print_json(FILE *stream, const char *name);

#endif
