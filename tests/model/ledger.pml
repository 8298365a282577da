/* The ledger's protocol: who may spend what, when, and what a crash leaves. Checked by `run`.
 *
 * Two programs compete for one ledger file. Each may be killed before any of its steps and start again, the power may
 * go, any write and any sync may fail, and a program may fork before any of its steps; all of it as often as it likes.
 * The budget is T silences and L answers (MECHANISM section 5), reserved up to N at a time.
 *
 * What must hold:
 *   BUDGET   never more than T silences or L answers are released over the whole history;
 *   PAID     an answer is released only after its reservation is durable;
 *   LOSS     a session that ends badly loses at most N of each kind beyond those it released, a closed one loses none,
 *            and none ever gains;
 *   REFUSED  after a reservation that failed to be written, nothing of that kind is answered in that session;
 *   ALONE    two programs never hold the ledger at the same time, though reading the file takes SQLite's lock away;
 *   KEPT     until the power goes, every answer that was released can be printed: it is in a row or in FILE-mark.
 *
 * How to read it: a comment `file:function` names the C function that does the step. A statement, a d_step or an atomic
 * is one step, and anything of `world` may come between two. One forked process lives at a time; it does what its
 * parent's program could do with the same memory, and forks no further.
 *
 * A name -DNO_..., or another from the list in `run`, takes one guard out; -DCHECK=... keeps one property. */

#define BUDGET  1
#define PAID    2
#define LOSS    3
#define REFUSED 4
#define ALONE   5
#define KEPT    6
#define SELLS   7 /* the next two are false: that Spin refutes them shows that the model does something */
#define LOSES   8

#ifndef CHECK
#define CHECK 0 /* the first six */
#endif
#define holds(property, fact) assert((CHECK != 0 && CHECK != property) || (fact))

#ifndef T
#define T 2 /* silences: what the plan of the ledger certifies */
#endif
#ifndef L
#define L 1 /* answers */
#endif
#ifndef N
#define N 2 /* of one kind reserved at a time, at most */
#endif
#ifndef FORKS
#define FORKS 1 /* 0: no process forks, which leaves room for larger T, L and N */
#endif

#ifndef JOURNAL
#define JOURNAL 1 /* 0: no process keeps answers or reads the file, which leaves room as well */
#endif

#define SILENCE 0
#define ANSWER  1
#define allowed(kind) (kind == SILENCE -> T : L)

/* ---- the guards, and what stands there when one is taken out ---- */

#ifdef ONE_SILENCE_MORE
#define BEGUN_SILENCES (T + 1)
#else
#define BEGUN_SILENCES T
#endif
#ifdef ONE_ANSWER_MORE
#define BEGUN_ANSWERS (L + 1)
#else
#define BEGUN_ANSWERS L
#endif
#define begun(kind) (kind == SILENCE -> BEGUN_SILENCES : BEGUN_ANSWERS)

/* The owner is the process that opened the ledger (shell/gate/process.c:process_is_this). One that was forked has its
 * parent's memory, in which the owner is another than itself. */
#define is_owner (mem[id].owner == id)
/* shell/gate/machine.c:machine_is_open, and shell/gate/session.c:session_run before any ballot */
#ifdef NO_OWNER_AT_ANSWER
#define may_answer true
#else
#define may_answer is_owner
#endif
/* shell/gate/machine.c:machine_reserve, and shell/gate/ledger_rows.c:ledger_rows_append for every row */
#ifdef NO_OWNER_AT_RESERVE
#define may_reserve true
#else
#define may_reserve is_owner
#endif
/* shell/gate/session.c:session_finish, shell/gate/machine.c:machine_close */
#ifdef NO_OWNER_AT_CLOSE
#define may_close true
#else
#define may_close is_owner
#endif
/* shell/gate/ledger_file.c:ledger_file_close */
#ifdef NO_OWNER_AT_SHUT
#define may_shut true
#else
#define may_shut is_owner
#endif

/* SQLite's lock, and ours (shell/gate/ledger_lock.c:ledger_lock_take) */
#ifdef NO_LOCK
#define may_seize true
#else
#ifdef NO_LOCK_OF_OURS
#define may_seize (lock == NOBODY)
#else
#define may_seize (lock == NOBODY && ours == NOBODY)
#endif
#endif
/* shell/gate/ledger_file.c:ledger_file_is_ours, before every row */
#ifdef NO_HEAD
#define is_ours true
#else
#define is_ours (writer == mem[id].owner)
#endif

#ifdef NO_BROKEN
#define is_broken false
#else
#define is_broken mem[id].broken
#endif

#ifdef RESERVES_WHILE_HOLDING
#define needs_reservation(kind) true
#else
#define needs_reservation(kind) (mem[id].held[kind] == 0)
#endif

/* ---- the disk ----
 * `cache` is what the next reader of the file finds, `disk` what a power cut leaves. A sync that failed may leave pages
 * that the kernel takes for written although they are not (`hole`): later syncs of what follows succeed, and a power
 * cut takes the page and all that follows. Only writing the pages anew mends that.
 * A row says how much is left of each kind; the rows before it matter no more, nor does what a session held when it
 * crashed. A file without a plan reads as one that has all of it left. */
typedef row {
  byte left[2];
  byte said[2]; /* answers that are in rows (shell/gate/journal.c:journal_store) */
#ifdef CRASH_GIVES_BACK
  byte held[2]
#endif
}
row cache, disk;
byte staged[2]; /* answers since the last row, in FILE-mark (shell/gate/journal.c:journal_record): a kill leaves them */
byte writer;    /* whose is the mark */
bool cut;       /* the power went: FILE-mark is not synced */
bool hole;
bool unlinked; /* FILE-wal lost its name while its owner is at work: what goes into it is not found again */

inline sync_rows() {
  if
  :: hole -> skip
  :: else -> copy_row(disk, cache)
  fi
}

inline copy_row(to, from) {
  to.left[0] = from.left[0];
  to.left[1] = from.left[1];
  to.said[0] = from.said[0];
  to.said[1] = from.said[1];
#ifdef CRASH_GIVES_BACK
  to.held[0] = from.held[0];
  to.held[1] = from.held[1]
#endif
}

/* ---- the programs ---- */

/* The programs are 0 and 1. */
#define CHILD  2 /* a process that a program forked; one at a time */
#define NOBODY 3

/* struct session, with its ledger and its machine. */
typedef memory {
  bool open; /* session.is_open */
  byte owner;
  byte left[2], held[2]; /* fumata_meter.left and .reserved, and those of the toll */
  byte said[2];          /* what the next row will have said */
  bool broken;           /* ledger.broken */
  bool failed[2]         /* only for REFUSED: a reservation of this kind failed */
}
memory mem[3];
byte lock = NOBODY; /* the lock of the file, which the kernel takes back from a dead process and a fork does not copy */
byte ours = NOBODY; /* our own, which nothing takes away from a process that lives */
bool dead[3];       /* just killed; nothing else moves until its steps are at an end */
#define nobody_died (!dead[0] && !dead[1] && !dead[2])

/* ---- what is claimed of the history ---- */

byte released[2];
short expected[2]; /* left, had the last session lost nothing */
bool closed;       /* the last session wrote its last row */

inline release(kind) {
  d_step {
    holds(REFUSED, !mem[id].failed[kind]);
    released[kind]++;
    expected[kind]--;
    holds(BUDGET, released[kind] <= allowed(kind));
    holds(PAID, released[kind] <= begun(kind) - disk.left[kind]);
    holds(KEPT, !JOURNAL || cut || released[kind] <= cache.said[kind] + staged[kind]);
#if CHECK == SELLS
    assert(released[SILENCE] < T || released[ANSWER] < L);
#endif
  }
}

inline account_for(kind) {
  holds(LOSS, mem[id].left[kind] <= expected[kind]);
  holds(LOSS, expected[kind] - mem[id].left[kind] <= (closed -> 0 : N));
#if CHECK == LOSES
  assert(expected[kind] - mem[id].left[kind] < N);
#endif
  expected[kind] = mem[id].left[kind]
}

/* ---- steps ---- */

inline forget(who) {
  mem[who].open = false;
  mem[who].owner = NOBODY;
  mem[who].left[0] = 0;
  mem[who].left[1] = 0;
  mem[who].held[0] = 0;
  mem[who].held[1] = 0;
  mem[who].said[0] = 0;
  mem[who].said[1] = 0;
  mem[who].broken = false;
  mem[who].failed[0] = false;
  mem[who].failed[1] = false
}

/* What the kernel does when a process ends, and sqlite3_close in one that is not dead. */
inline let_go(who) {
  if
  :: lock == who -> lock = NOBODY; unlinked = false
  :: else -> skip
  fi;
  if
  :: ours == who -> ours = NOBODY
  :: else -> skip
  fi;
  forget(who)
}

#ifdef NO_OWNER_AT_SHUT
#define is_linked !unlinked
#else
#define is_linked true
#endif

/* One row that says what memory holds, and `count` more of `kind` reserved. `ok`: it is durable.
 * shell/gate/ledger_rows.c:ledger_rows_append. What shell/gate/ledger_rows.c:ledger_rows_follow refuses of a
 * row is not used here. */
inline append(kind) {
  if
  :: is_broken -> skip
#ifdef NO_LOCK_OF_OURS /* else it is always so */
  :: atomic { !is_broken && !is_ours -> mem[id].broken = true }
#endif
  :: atomic { !is_broken && is_ours -> mem[id].broken = true };
    if
    :: true -> skip /* the disk is full: nothing is there */
#ifdef NO_OWNER_AT_SHUT
    :: unlinked -> ok = true
#endif
    :: d_step { /* shell/gate/ledger_rows.c:ledger_rows_insert, and the write of COMMIT */
        is_linked ->
        cache.left[0] = mem[id].left[0];
        cache.left[1] = mem[id].left[1];
        cache.left[kind] = cache.left[kind] - count;
#ifndef NO_JOURNAL
        cache.said[0] = mem[id].said[0];
        cache.said[1] = mem[id].said[1];
#endif
        staged[0] = 0; /* those in FILE-mark belong to the row before */
        staged[1] = 0;
#ifdef CRASH_GIVES_BACK
        cache.held[0] = mem[id].held[0];
        cache.held[1] = mem[id].held[1];
        cache.held[kind] = cache.held[kind] + count
#endif
      }
      if /* the sync of COMMIT */
#ifdef NO_SYNC
      :: ok = true
#else
      :: d_step { sync_rows(); ok = true }
#endif
      :: hole = true /* it fails, and the kernel forgets the pages */
      :: d_step { copy_row(disk, cache) } /* it fails after the row became durable */
      :: true -> skip /* it fails; the row may become durable later */
      fi
    fi;
#ifdef IGNORES_FAILURE
    ok = true;
#endif
  fi
}

/* Memory after the row: core/meter.c:fumata_meter_reserve or core/toll.c:fumata_toll_reserve is done on a copy, which becomes
 * the machine's state when the row is durable (shell/gate/machine.c:machine_reserve,
 * shell/gate/ledger.c:ledger_reserve). */
inline advance(kind) {
  mem[id].left[kind] = mem[id].left[kind] - count;
  mem[id].held[kind] = mem[id].held[kind] + count;
  count = 0
}

inline reserve(kind) {
  atomic {
    may_reserve && needs_reservation(kind) && mem[id].left[kind] > 0 ->
    do /* as many as the caller likes; shell/gate/machine.c:machine_room sees to it that they are there */
    :: count < N && count < mem[id].left[kind] -> count++
    :: count > 0 -> break
    od;
#ifdef EARLY_STATE
    d_step { advance(kind) }
#endif
  }
  append(kind);
  d_step {
    if
    :: ok -> mem[id].broken = false; advance(kind)
    :: else -> mem[id].failed[kind] = true; count = 0
    fi;
    ok = false
  }
}

/* shell/gate/session.c:session_answer, core/meter.c:fumata_meter_answer and core/toll.c:fumata_toll_answer: a silence, or
 * an answer of the toll, is used and then handed over. A label uses nothing and is not a step here. */
inline answer(kind) {
  atomic {
    may_answer && mem[id].held[kind] > 0 ->
    mem[id].held[kind]--
  }
#ifdef RELEASES_FIRST
  release(kind);
#endif
#if JOURNAL
  d_step { /* shell/gate/session.c:session_hand_over */
    staged[kind]++;
    mem[id].said[kind]++
  }
#endif
#ifndef RELEASES_FIRST
  release(kind)
#endif
}

/* shell/gate/machine.c:machine_close, shell/gate/ledger.c:ledger_finish */
inline finish() {
  d_step { /* core/meter.c:fumata_meter_close, core/toll.c:fumata_toll_close; one row says what is left of both */
    mem[id].left[0] = mem[id].left[0] + mem[id].held[0];
    mem[id].left[1] = mem[id].left[1] + mem[id].held[1];
#ifdef KEEPS_UNUSED
    mem[id].left[0] = mem[id].left[0] - mem[id].held[0];
    mem[id].left[1] = mem[id].left[1] - mem[id].held[1];
#endif
#ifndef GIVES_BACK_TWICE
    mem[id].held[0] = 0;
    mem[id].held[1] = 0
#endif
  }
  append(SILENCE);
  d_step {
    if
    :: ok -> mem[id].broken = false; closed = true
    :: else -> mem[id].failed[0] = true; mem[id].failed[1] = true
    fi;
    ok = false
  }
}

/* shell/gate/ledger.c:ledger_shut, shell/gate/ledger_file.c:ledger_file_disarm. In a forked process sqlite3_close
 * would remove FILE-wal under its owner; there, only memory is freed. */
inline shut() {
  d_step {
    if
    :: may_shut && !is_owner && lock != NOBODY -> unlinked = true
    :: else -> skip
    fi;
    let_go(id)
  }
}

proctype program(byte id) provided (dead[id] || nobody_died) {
  bool ok;
  byte count;
end_again:
  {
    if
    :: atomic { id == CHILD && mem[id].open -> goto at_work }
    :: d_step { /* shell/gate/ledger_file.c:ledger_file_seize; who finds it in use comes again */
        id != CHILD && may_seize ->
        holds(ALONE, !(mem[1 - id].open && mem[1 - id].owner == 1 - id));
        lock = id;
        ours = id;
        mem[id].open = true;
        mem[id].owner = id
      }
    fi;

    d_step { /* shell/gate/ledger_rows.c:ledger_rows_replay, core/budget.c:fumata_budget_resume: reserved is used */
      mem[id].left[0] = cache.left[0];
      mem[id].left[1] = cache.left[1];
      mem[id].said[0] = cache.said[0];
      mem[id].said[1] = cache.said[1];
#ifndef NO_FOUND
      /* shell/gate/ledger.c:ledger_recover: what a crash left goes into the next row */
      mem[id].said[0] = mem[id].said[0] + staged[0];
      mem[id].said[1] = mem[id].said[1] + staged[1];
#endif
#ifdef CRASH_GIVES_BACK
      mem[id].left[0] = mem[id].left[0] + cache.held[0];
      mem[id].left[1] = mem[id].left[1] + cache.held[1];
#endif
    }

    if /* shell/gate/ledger_file.c:ledger_file_arm: the checkpoint writes every page anew and syncs */
    :: d_step {
#ifndef NO_CHECKPOINT
        hole = false;
#endif
        sync_rows();
        account_for(SILENCE);
        account_for(ANSWER);
        writer = id;
        closed = false
      }
    :: atomic { hole = true; goto leave } /* it fails, as the sync of a row does */
    :: atomic { copy_row(disk, cache); goto leave }
    :: goto leave
    fi;

    if /* shell/gate/ledger.c:ledger_begin, shell/gate/ledger.c:ledger_can_go_on */
    :: mem[id].left[0] == 0 && mem[id].left[1] == 0 -> goto leave /* spent: refused */
    :: else
    fi;
    append(SILENCE); /* shell/gate/ledger.c:ledger_start: a row `plan` or `resume` */
    if
    :: atomic { ok -> mem[id].broken = false; ok = false }
    :: !ok -> goto leave
    fi;

at_work:
    do /* shell/gate/session.c:session_answer_batch, shell/gate/session.c:session_answer_pairs, and a caller who asks
          in any order */
    :: reserve(SILENCE)
    :: reserve(ANSWER)
    :: answer(SILENCE)
    :: answer(ANSWER)
#ifdef ANSWERS_FIRST
    :: may_answer && mem[id].left[SILENCE] > 0 -> release(SILENCE)
#endif
    :: may_close -> break
    :: goto leave /* an error elsewhere: no finish */
    od;
closing:
    finish();
    if
    :: goto closing /* a caller who finishes twice */
    :: goto leave
    fi;

leave:
    shut();
    goto end_again
  } unless {
    d_step {
      dead[id] ->
      dead[id] = false;
      ok = false;
      count = 0
    }
  }
  goto end_again
}

/* ---- what may happen between any two steps ---- */

inline kill_9(who) {
  d_step {
    mem[who].open ->
    let_go(who);
    dead[who] = true
  }
}

inline fork_from(who) {
  d_step {
    mem[who].open && !mem[CHILD].open ->
    mem[CHILD].open = true;
    mem[CHILD].owner = mem[who].owner;
    mem[CHILD].left[0] = mem[who].left[0];
    mem[CHILD].left[1] = mem[who].left[1];
    mem[CHILD].held[0] = mem[who].held[0];
    mem[CHILD].held[1] = mem[who].held[1];
    mem[CHILD].said[0] = mem[who].said[0];
    mem[CHILD].said[1] = mem[who].said[1];
    mem[CHILD].broken = mem[who].broken
  }
}

/* Something in the process reads the file and closes it: SQLite's lock is gone. */
inline read_file(who) {
  d_step {
    mem[who].open && lock == who ->
    lock = NOBODY
  }
}

inline lose_power(who) {
  if
  :: mem[who].open -> let_go(who); dead[who] = true
  :: else -> skip
  fi
}

proctype world() provided (nobody_died) {
  do
  :: kill_9(0)
  :: kill_9(1)
  :: kill_9(CHILD)
#if JOURNAL
  :: read_file(0)
  :: read_file(1)
#endif
#if FORKS
  :: fork_from(0)
  :: fork_from(1)
#endif
  :: atomic { /* what was written and not synced is there afterwards, or it is not */
      if
      :: copy_row(cache, disk)
      :: copy_row(disk, cache)
      fi;
      hole = false;
      cut = JOURNAL;
      staged[0] = 0;
      staged[1] = 0;
      d_step {
        lose_power(0);
        lose_power(1);
        lose_power(CHILD)
      }
    }
  od
}

init {
  d_step {
    cache.left[0] = BEGUN_SILENCES;
    cache.left[1] = BEGUN_ANSWERS;
    copy_row(disk, cache);
    expected[0] = BEGUN_SILENCES;
    expected[1] = BEGUN_ANSWERS;
    forget(0);
    forget(1);
    forget(CHILD)
  }
  atomic {
    run program(0);
    run program(1);
    run program(CHILD);
    run world()
  }
}
