// `leanchecker MODULE`: has Lean's kernel check the declarations of a compiled module again, like the program of that
// name in Lean's toolchains, and with the same function of Lean (`Lean.Kernel.Environment.replay`).
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A constructor without fields is an odd number; others have a header, then their fields.
typedef struct object { int rc; unsigned short size; unsigned char fields, tag; struct object *field[]; } object;
typedef struct { object header; size_t size, capacity; object *element[]; } array;
#define BOX(n) ((object *)(((size_t)(n) << 1) | 1))

extern void lean_initialize(void), lean_io_mark_end_initialization(void), lean_init_task_manager(void);
extern void lean_io_result_show_error(object *);
extern object *initialize_Lean(uint8_t), *lean_init_search_path(void), *lean_mk_string(const char *);
extern object *l_Lean_readModuleData(object *), *lean_elab_environment_to_kernel_env(object *);
extern object *l_Lean_importModules___boxed(object *imports, object *options, object *trust, object *plugins,
                                            object *leaks, object *extensions, object *level, object *artifacts);
extern object *l_Std_DHashMap_Const_ofList___redArg(object *equal, object *hash, object *list);
extern object *l_Lean_Kernel_Environment_replay(object *constants, object *environment);
extern object *l_Lean_Name_instBEq, *l_Lean_instHashableName, *l_Lean_Options_empty;

// An object that is never freed.
static object *constructor(int tag, object *one, object *other) {
  object *new = malloc(sizeof(object) + 2 * sizeof(object *));
  *new = (object){.rc = 0, .size = sizeof(object) + 2 * sizeof(object *), .fields = 2, .tag = tag};
  new->field[0] = one;
  new->field[1] = other;
  return new;
}

// What an action returns, unless it fails.
static object *done(object *result) {
  if (result->tag == 0) return result->field[0];
  lean_io_result_show_error(result);
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: leanchecker MODULE\n"), 2;
  lean_initialize();
  done(initialize_Lean(1));
  lean_io_mark_end_initialization();
  lean_init_task_manager();
  done(lean_init_search_path());
  char *path = NULL, *rest = strdup(getenv("LEAN_PATH") ? getenv("LEAN_PATH") : ".");
  for (char *folder = strtok(rest, ":"); folder && (!path || access(path, R_OK)); folder = strtok(NULL, ":"))
    if (asprintf(&path, "%s/%s.olean", folder, argv[1]) < 0) return 2;
  object *data = done(l_Lean_readModuleData(lean_mk_string(path)))->field[0];
  array *names = (array *)data->field[1], *constants = (array *)data->field[2];
  object *declared = BOX(0);
  for (size_t i = names->size; i-- > 0;)
    declared = constructor(1, constructor(0, names->element[i], constants->element[i]), declared);
  object *none = calloc(1, sizeof(array));
  none->tag = 246;
  object *imported = done(l_Lean_importModules___boxed(data->field[0], l_Lean_Options_empty, BOX(0), none, BOX(0),
                                                       BOX(0), BOX(2), BOX(1)));
  object *map = l_Std_DHashMap_Const_ofList___redArg(l_Lean_Name_instBEq, l_Lean_instHashableName, declared);
  done(l_Lean_Kernel_Environment_replay(map, lean_elab_environment_to_kernel_env(imported)));
  return 0;
}
