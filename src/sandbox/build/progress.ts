/** What `go build -v` has said so far, counted. */
export interface BuildProgress {
  /** Takes one line of its output. */
  take(line: string): void;
  /** One line for a person: `downloaded 112 modules, compiled 340 of about 2,350 packages, 1 min 05 s, about 6 min more`. */
  summary(elapsedMilliseconds: number): string;
  /** The last lines that are not progress: what went wrong, when something did. */
  complaints(): string;
}

const COMPLAINTS_KEPT = 30;

/** Go names each package on a line of its own as it compiles it. */
const packageName = /^[\w.~-]+(\/[\w.~-]+)*$/;

/** Before so many are compiled nothing is known of how long they take. */
const LEAST_COMPILED = 100;

/** `expected`: how many packages are compiled if none has been before; undefined: nobody knows. */
export function createBuildProgress(expected?: number): BuildProgress {
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
      const isKnown = expected !== undefined && packages < expected;
      const of = isKnown ? ` of about ${expected.toLocaleString('en')}` : '';
      const parts = [
        modules > 0 && `downloaded ${modules} modules`,
        packages > 0 && `compiled ${packages}${of} packages`,
        formatElapsed(elapsed),
        isKnown && packages >= LEAST_COMPILED && left((elapsed * (expected - packages)) / packages),
      ];
      return parts.filter((part) => part !== false).join(', ');
    },
    complaints: () => complaints.join('\n'),
  };
}

/** No more exact than it is known. */
function left(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 1 ? 'less than a minute more' : `about ${minutes} min more`;
}

/** `48 s`, `3 min 42 s`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
