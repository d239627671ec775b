import type * as z from 'zod';
import type { Finding } from './result.ts';
import type { Source } from './source.ts';

/**
 * The spec without the fields that its kind would refuse, each with a finding; no spec if a field is wrong that it can't
 * be without. What only the apiserver's rules see, `kubectl apply --dry-run=server` says.
 */
export function fitted<S extends object>(
  schema: z.ZodType<S>,
  spec: S,
  needed: readonly (keyof S & string)[],
  { address }: Pick<Source, 'address'>,
  missing = {
    where: 'the state',
    advice: 'Refresh the state (terraform apply -refresh-only) and run this again, or write the manifest by hand.',
  },
): { readonly spec: S | undefined; readonly findings: readonly Finding[] } {
  const read = schema.safeParse(spec);
  if (read.success) return { spec, findings: [] };
  const wrong = [...new Set(read.error.issues.map(({ path }) => String(path[0])))];
  if (wrong.some((field) => needed.some((one) => one === field))) {
    return {
      spec: undefined,
      findings: [
        {
          address,
          why: `${missing.where} has no ${wrong.join(' and ')} that Edgeline accepts`,
          advice: missing.advice,
        },
      ],
    };
  }
  const rest = { ...spec };
  for (const field of wrong) Reflect.deleteProperty(rest, field);
  return {
    spec: rest,
    findings: wrong.map((field) => ({
      address,
      attribute: field,
      why: 'Edgeline does not accept the value for this field of the manifest',
      advice:
        'docs/reference/fields.md has what it accepts; until the manifest has the field, it stays as it is at the service.',
    })),
  };
}
