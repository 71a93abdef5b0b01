import { letRequestsRun } from "./let-requests-run.js";

/** Runs tasks one after the other, those of one key together. */
export interface WorkQueue<Task> {
  /** Resolves once the task has been done. */
  plan(key: string, task: Task): Promise<void>;
  /** Resolves once the task that is under way has ended. */
  current(): Promise<void>;
  /** Ends the task under way, and drops the others. */
  close(): Promise<void>;
}

/** Pause before a task that failed is repeated. */
const STALL_MS = 500;

/**
 * @param work Does the tasks of a key. If it rejects, they are repeated after a pause.
 * @param onFailure Called before the pause.
 */
export function createWorkQueue<Task>(
  work: (key: string, tasks: ReadonlySet<Task>) => Promise<void>,
  onFailure: (key: string, error: unknown) => void,
): WorkQueue<Task> {
  const due = new Map<string, Due<Task>>();
  const stalled = new Set<NodeJS.Timeout>();
  let underWay: Promise<void> = Promise.resolve();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const run = async (): Promise<void> => {
    // The first key is removed each time; closing removes all.
    for (const [key, one] of due) {
      due.delete(key);
      underWay = work(key, one.tasks).then(one.done, (error: unknown) => {
        onFailure(key, error);
        planLater(key, one);
      });
      await underWay;
      await letRequestsRun();
    }
    running = undefined;
  };
  const plan = (key: string, task: Task): Promise<void> => {
    const one = due.get(key) ?? newDue<Task>();
    one.tasks.add(task);
    due.set(key, one);
    if (!isClosed) running ??= run();
    return one.promise;
  };
  /** Repeats tasks after a pause, in which those of other keys are done. */
  const planLater = (key: string, { tasks, done }: Due<Task>): void => {
    const timer = setTimeout(() => {
      stalled.delete(timer);
      void Promise.all([...tasks].map((task) => plan(key, task))).then(done);
    }, STALL_MS);
    stalled.add(timer);
  };
  return {
    plan,
    current: () => underWay,
    async close() {
      isClosed = true;
      for (const timer of stalled) clearTimeout(timer);
      for (const { done } of due.values()) done();
      due.clear();
      await running;
    },
  };
}

interface Due<Task> {
  readonly tasks: Set<Task>;
  readonly promise: Promise<void>;
  readonly done: () => void;
}

function newDue<Task>(): Due<Task> {
  let done = (): void => {};
  const promise = new Promise<void>((resolve) => (done = resolve));
  return { tasks: new Set(), promise, done };
}
