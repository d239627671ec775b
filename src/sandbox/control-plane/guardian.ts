import { spawn } from 'node:child_process';

/**
 * Reads process groups (`add 123`, `remove 123`) until its input ends, which it does however we end, `kill -9`
 * included. What is still on the list then is stopped.
 */
const script = `
groups=" "
while read -r verb group; do
  case "$verb" in
    add) groups="$groups$group " ;;
    remove) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
[ "$groups" = "\${groups#*[0-9]}" ] && exit 0
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
sleep "$1"
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/** Stops the process groups it was told of when this process ends without having done so. */
export interface Guardian {
  add(group: number): void;
  remove(group: number): void;
}

/**
 * Node can't ask the kernel to end a child together with its parent, so a shell of a few hundred kilobytes stands by.
 * It keeps neither the event loop nor the terminal busy.
 *
 * @param graceSeconds the time between SIGTERM and SIGKILL, in seconds.
 */
export function startGuardian(graceSeconds: number): Guardian {
  const shell = spawn('/bin/sh', ['-c', script, 'guardian', String(graceSeconds)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there's no guard against kill -9; everything else still works.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
  return {
    add: (group) => void shell.stdin.write(`add ${group}\n`),
    remove: (group) => void shell.stdin.write(`remove ${group}\n`),
  };
}
