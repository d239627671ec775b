/** What `go build -v` has said so far, counted. */
export interface BuildProgress {
  /** Takes one line of its output. */
  take(line: string): void;
  /** One line for a person: `downloaded 112 modules, compiled 340 packages, 1 min 05 s`. */
  summary(elapsedMilliseconds: number): string;
  /** The last lines that are not progress: what went wrong, when something did. */
  complaints(): string;
}

const COMPLAINTS_KEPT = 30;

/** Go names each package on a line of its own as it compiles it. */
const packageName = /^[\w.~-]+(\/[\w.~-]+)*$/;

export function createBuildProgress(): BuildProgress {
  let modules = 0;
  let packages = 0;
  const complaints: string[] = [];
  return {
    take(line) {
      if (line.startsWith('go: downloading ')) modules++;
      else if (packageName.test(line)) packages++;
      else if (line.trim() !== '') {
        complaints.push(line);
        if (complaints.length > COMPLAINTS_KEPT) complaints.shift();
      }
    },
    summary(elapsed) {
      const parts = [
        modules > 0 && `downloaded ${modules} modules`,
        packages > 0 && `compiled ${packages} packages`,
        formatElapsed(elapsed),
      ];
      return parts.filter((part) => part !== false).join(', ');
    },
    complaints: () => complaints.join('\n'),
  };
}

/** `48 s`, `3 min 42 s`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
