/** What `# HELP` and `# TYPE` say of a metric, and its labels. */
export interface MetricFamily {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly string[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A row of the tables of metrics, by name; `L` are its labels. */
export interface Family<L extends string, T extends MetricType = MetricType> {
  readonly type: T;
  readonly help: string;
  readonly labels: readonly L[];
  /** Of a histogram: the upper bounds. */
  readonly buckets?: readonly number[];
}

/** Tables of metrics by name. */
export type Families = Readonly<Record<string, Family<string>>>;

export function counter<L extends string>(help: string, ...labels: L[]): Family<L, 'counter'> {
  return { type: 'counter', help, labels };
}

export function gauge<L extends string>(help: string, ...labels: L[]): Family<L, 'gauge'> {
  return { type: 'gauge', help, labels };
}

export function histogram<L extends string>(
  help: string,
  buckets: readonly number[],
  ...labels: L[]
): Family<L, 'histogram'> {
  return { type: 'histogram', help, labels, buckets };
}
