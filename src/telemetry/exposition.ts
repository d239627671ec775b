import type { Families, Family } from './families/family.ts';

/** Shows one sample; the same series again replaces it. */
export type Show<Table extends Families> = <Name extends keyof Table & string>(
  name: Name,
  labels: Readonly<Record<LabelOf<Table[Name]>, string>>,
  value: number,
) => void;

type LabelOf<F> = F extends Family<infer L> ? L : never;

/**
 * The text format of what the sources show. Written here and not kept in the library's registry, which takes ten times as
 * long for as many series and keeps all of them until the next scrape. Pure, if the sources are.
 */
export function exposed<Table extends Families>(table: Table, sources: Iterable<(show: Show<Table>) => void>): string {
  const shown = new Map<string, Map<string, number>>(Object.keys(table).map((name) => [name, new Map()]));
  const show: Show<Table> = (name, labels, value) => {
    const names: readonly string[] = table[name]?.labels ?? [];
    const given: Readonly<Record<string, string>> = labels;
    let text = '';
    for (const label of names) {
      const labelValue = given[label];
      // An empty label is none, to Prometheus.
      if (labelValue) text += `${text ? ',' : ''}${label}="${escaped(labelValue)}"`;
    }
    shown.get(name)?.set(text, value);
  };
  for (const source of sources) source(show);
  let text = '';
  for (const [name, samples] of shown) {
    const { help, type } = table[name] ?? {};
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value] of samples) text += `${name}${labels && `{${labels}}`} ${numeral(value)}\n`;
    text += '\n';
  }
  return text;
}

/** Most names need nothing done. */
function escaped(value: string): string {
  return /["\\\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

function numeral(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
