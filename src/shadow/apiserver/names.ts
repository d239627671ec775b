import { type Cause, cause } from './status.ts';

// What may be a name, as k8s.io/apimachinery/pkg/util/validation has it.

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const label = new RegExp(`^${LABEL}$`);
const subdomain = new RegExp(`^${SUBDOMAIN}$`);
const qualified = new RegExp(`^${QUALIFIED}$`);
const VALUE = `(${QUALIFIED})?`;
const value = new RegExp(`^${VALUE}$`);

/** What is wrong with a name of lower case; the kinds of names differ by length and dots. */
export function nameProblems(name: string, form: 'label' | 'subdomain'): string[] {
  const most = form === 'label' ? 63 : 253;
  const problems = name.length > most ? [`must be no more than ${most} bytes`] : [];
  if (form === 'label' && !label.test(name)) {
    problems.push(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    );
  }
  if (form === 'subdomain' && !subdomain.test(name)) problems.push(SUBDOMAIN_PROBLEM);
  return problems;
}

const SUBDOMAIN_PROBLEM = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const QUALIFIED_PROBLEM = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`;

/** What is wrong with a key of a label or an annotation, or with a finalizer. */
export function qualifiedNameProblems(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${QUALIFIED_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [prefix, name] = parts.length === 2 ? parts : [undefined, text];
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...nameProblems(prefix, 'subdomain').map((one) => `prefix part ${one}`));
  if (name === '' || name === undefined) problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!qualified.test(name ?? '')) problems.push(`name part ${QUALIFIED_PROBLEM}`);
  return problems;
}

/** What is wrong with labels. */
export function labelCauses(labels: Readonly<Record<string, string>>, field: string): Cause[] {
  return Object.entries(labels).flatMap(([key, text]) => [
    ...qualifiedNameProblems(key).map((problem) => cause.invalid(field, key, problem)),
    ...(text.length > 63 ? [cause.invalid(field, text, 'must be no more than 63 bytes')] : []),
    ...(value.test(text)
      ? []
      : [
          cause.invalid(
            field,
            text,
            `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${QUALIFIED})?')`,
          ),
        ]),
  ]);
}
