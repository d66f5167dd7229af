import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Where a process runs: servers have a core of their own, all else has another. */
export type Core = 'of servers' | 'of load';

/** A process that was started, and will be ended with this one at the latest. */
export interface Started {
  readonly child: ChildProcess;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<void>;
}

/** Whether there are two cores, and the means to keep a process on one. */
export const pinned = availableParallelism() >= 2 && found('taskset');

export function startProcess(
  core: Core,
  command: readonly string[],
  cwd: string,
  stdio: StdioOptions,
): Started {
  const whole = pinned ? ['taskset', '--cpu-list', core === 'of servers' ? '0' : '1', ...command] : command;
  const child = spawn(whole[0] as string, whole.slice(1), { cwd, stdio });
  running.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  void ended.then(() => running.delete(child));
  return { child, ended };
}

/** Leaves the core of servers to them. */
export function leaveServersTheirCore(): void {
  const args = ['--all-tasks', '--pid', '--cpu-list', '1', String(process.pid)];
  // It complains of a thread that ends meanwhile, which needs no core.
  if (pinned) spawnSync('taskset', args, { stdio: 'ignore' });
}

/** Whether a command is there. */
export function found(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time that a process has used, in user and kernel mode, by all its threads (proc_pid_stat(5)). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the command in parentheses, may hold anything: the others are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Memory of a process that is resident now (proc_pid_status(5)). */
export function residentMiB(pid: number): number {
  const kiB = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kiB) / 1024;
}
