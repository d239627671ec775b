import { oneLine } from '../import/terraform/address.ts';
import { findingsText } from '../import/terraform/report.ts';
import type { Exported } from './convert.ts';
import type { Present } from './present.ts';

/** What a person is told beside the manifests; no value of a Secret is in it. Pure. */
export function reportOf(
  { manifests, secrets, findings }: Exported,
  options: {
    /** The account, as in `the CloudAccount default in namespace fleet`. */
    readonly from: string;
    readonly requests: { readonly sent: number; readonly claimed: number };
    /** Where the Secrets went; undefined: nowhere, and they are listed. */
    readonly secretsFile: string | undefined;
    readonly namespace: string;
    /** What of the manifests is there already; undefined: that is not known. */
    readonly present: Present | undefined;
  },
): string {
  const kinds = [...Map.groupBy(manifests, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`);
  const { sent, claimed } = options.requests;
  return [
    `From ${options.from}: ${kinds.join(', ') || 'nothing'}.`,
    ...(claimed > 0 ? [`Web acceleration requests sent: ${sent}.`] : []),
    ...(secrets.length === 0
      ? []
      : options.secretsFile === undefined
        ? [
            '',
            'Secrets the manifests refer to, to be made before them; --secrets FILE writes them:',
            ...secrets.map(({ name, values }) => `- ${name}: ${Object.keys(values).join(', ')}`),
          ]
        : ['', `Secrets: ${secrets.length} in ${options.secretsFile}, readable for you alone.`]),
    ...findingsText(findings),
    ...presentText(options.namespace, options.present),
    '',
  ]
    .map(oneLine)
    .join('\n');
}

/** What is said of manifests that would be applied over what is there, or beside it. */
function presentText(namespace: string, present: Present | undefined): string[] {
  if (present === undefined)
    return ['', `It could not be seen what namespace ${namespace} has of this already: look before you apply.`];
  const { same, others } = present;
  return [
    ...(same.length === 0
      ? []
      : [
          '',
          `Managed in namespace ${namespace} already: ${same.join(', ')}.`,
          'Applied over that, a manifest also un-sets at the service what it does not have. Look first: edgeline plan -f, with the manifests.',
        ]),
    ...(others.length === 0
      ? []
      : [
          '',
          `Managed in namespace ${namespace} already, by a resource of another name: ${others.map(({ manifest, by }) => `${manifest} by ${by}`).join(', ')}.`,
          'Give these manifests the names of those resources, or do not apply them: beside those they would only say AlreadyManaged. To delete one of those may delete at the service what it manages.',
        ]),
  ];
}
