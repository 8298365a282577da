/* One function a command; argv[0] is the command's name, the result is the exit code. */
#ifndef FUMATA_COMMANDS_H
#define FUMATA_COMMANDS_H

int fumata_cmd_answer(int argc, char **argv);
int fumata_cmd_certify(int argc, char **argv);
int fumata_cmd_learn(int argc, char **argv);
int fumata_cmd_ledger(int argc, char **argv);
int fumata_cmd_plan(int argc, char **argv);
int fumata_cmd_predict(int argc, char **argv);

#endif
