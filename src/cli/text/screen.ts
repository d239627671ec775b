/** Where output goes, and what that can show. */
export interface Screen {
  /** Columns of a terminal; undefined: a file or a pipe, where lines are as long as they are. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

type Stream = { readonly isTTY?: boolean; readonly columns?: number };

const USUAL_COLUMNS = 80;
/** Narrower than this, nothing can be read anyway. */
const LEAST_COLUMNS = 20;

/** What a stream can show: colours on a terminal only, unless NO_COLOR is set (https://no-color.org). */
export function screenOf(stream: Stream, environment: Readonly<Record<string, string | undefined>>): Screen {
  if (!stream.isTTY) return { columns: undefined, colours: false };
  const colours = !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  // The last column stays free: some terminals wrap as soon as it is written to.
  return { columns: Math.max(LEAST_COLUMNS, (stream.columns || USUAL_COLUMNS) - 1), colours };
}

const codes = { green: 32, red: 31, yellow: 33, faint: 2, bold: 1 } as const;
export type Paint = keyof typeof codes;

/** The text in a colour, where the screen has any. */
export function painted(screen: Screen, paint: Paint | undefined, text: string): string {
  return screen.colours && paint !== undefined && text !== '' ? `\u001b[${codes[paint]}m${text}\u001b[0m` : text;
}
