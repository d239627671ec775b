import * as z from 'zod';
import {
  immutableOnceSet,
  listMap,
  listSet,
  presenceFixed,
  type ValidationRule,
  validations,
} from '../../kubernetes/cel.ts';
import { isID, isSecretName } from './rules.ts';

/** Where all kinds live in the API, and the name that lists all of them. */
export const edgelineAPI = { group: 'edgeline.dev', version: 'v1alpha1', categories: ['edgeline'] };

/** The name of a Secret. */
export const secretName = z.string().min(1).max(253).meta(validations(isSecretName));

/** A Secret in the resource's own namespace. */
export const secretKeyRef = z
  .object({
    name: secretName.describe('Name of the Secret, in the same namespace.'),
    key: z.string().min(1).max(253).describe('Key in the Secret.'),
  })
  .describe('One key of a Secret in the same namespace.');

/** A Secret in the resource's own namespace, whose keys are fixed by convention. */
export const secretRef = z
  .object({ name: secretName.describe('Name of the Secret, in the same namespace.') })
  .describe('A Secret in the same namespace.');

/** Spec fields of every managed kind. */
export const commonSpec = {
  accountRef: z
    .object({
      kind: z
        .enum(['CloudAccount', 'ClusterCloudAccount'])
        .describe('CloudAccount (same namespace) or ClusterCloudAccount.'),
      name: z.string().min(1).max(253).describe('Name of the account.'),
    })
    .optional()
    .describe(
      'The account at the service. Without it: the CloudAccount named default in this namespace, else the ClusterCloudAccount named default. Cannot be changed.',
    ),
  resourceID: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('ID at the service of the one resource to take over. Cannot be changed once set.')
    .meta(validations(isID('resourceID'))),
  adoption: z
    .enum(['IfFound', 'Required', 'Never'])
    .optional()
    .describe(
      'What to do with a resource that exists at the service: IfFound takes it over or creates it (the default), Required waits for it and never creates, Never refuses it.',
    ),
  managementPolicy: z
    .enum(['Manage', 'Observe', 'Approve', 'ApproveChanges'])
    .optional()
    .describe(
      'Manage makes the service match the spec (the default). Observe never writes and shows the differences in status.drift. Approve writes what a person has approved, see docs/approval.md; ApproveChanges does so, too, but for the repair of drift, which needs no approval.',
    ),
  deletionPolicy: z
    .enum(['Delete', 'Orphan'])
    .optional()
    .describe(
      'What deletion does at the service. Without it, what this resource created is deleted and what it took over is left as it is.',
    ),
};

/** `deletionPolicy` of a kind whose deletion never deletes anything at the service. */
export function orphanOnly(about: string) {
  return z
    .enum(['Delete', 'Orphan'])
    .optional()
    .describe(about)
    .meta(
      validations({
        rule: "self == 'Orphan'",
        message: 'deletionPolicy can be Orphan only: deletion leaves what is at the service as it is',
      }),
    );
}

/** Rules of `accountRef`, for the root of a spec. */
export const accountRules: readonly ValidationRule[] = [
  presenceFixed(
    'accountRef',
    'accountRef cannot be added or removed later: delete the resource and create it in the other account',
  ),
  immutableOnceSet(
    'accountRef',
    'accountRef cannot be changed: delete the resource and create it in the other account',
  ),
];

/** Rules of the common spec fields, for the root of a spec. */
export const commonRules: readonly ValidationRule[] = [
  ...accountRules,
  immutableOnceSet(
    'resourceID',
    'resourceID cannot be changed or left out once set: write the one it has. For another, delete the resource (deletionPolicy: Orphan keeps what it manages) and create a new one',
  ),
];

const condition = z
  .object({
    type: z.string().max(316).describe('Ready, Synced, Reconciling, Stalled, or one that only this kind has.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
    reason: z.string().max(1024).describe('Why, as one word.'),
    message: z.string().max(32768).describe('Why, as a sentence, with what to do.'),
    lastTransitionTime: z.iso.datetime().max(64).describe('When the status last changed.'),
    observedGeneration: z.int().min(0).optional().describe('The generation of the spec it was decided for.'),
  })
  .describe('One condition.');

/** The list of conditions, in the form kubectl and kstatus expect. */
export const conditions = z
  .array(condition)
  .max(16)
  .optional()
  .describe(
    'Ready: it works as the spec says. Synced: the service matches the spec. Reconciling and Stalled as kstatus defines them.',
  )
  .meta(listMap('type'));

/** Of a status. */
export const observedGeneration = z
  .int()
  .min(-1)
  .optional()
  .describe('The generation of the spec that this status is about; -1 until the operator has looked at the resource.');

/** Of `intended`, which each kind has in the shape of its `applied`. */
export const INTENDED =
  'Of the fields in pending, in the shape of applied: the value that was about to be written, where it is the only one that may have been.';

/** Status fields of every managed kind. */
export const commonStatus = {
  uid: z
    .string()
    .max(64)
    .optional()
    .describe(
      'UID of the resource this status was written for. If it is not the resource’s own UID, the status was restored from a backup, and what it names counts as Adopted.',
    ),
  id: z.string().max(64).optional().describe('ID at the service.'),
  createdAt: z
    .string()
    .max(64)
    .optional()
    .describe('When it was created, according to the service: an ID counts only together with this.'),
  seal: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Keyed digest of uid, id and createdAt, and since when the resource has what they name; by it the operator knows that it wrote them. Of several resources of an account that name one object, the one with this comes first, and of several with one the last that got it.',
    ),
  ownership: z
    .enum(['Created', 'Adopted'])
    .optional()
    .describe(
      'Created: the operator created it, and deletion deletes it. Adopted: it existed before, and deletion leaves it.',
    ),
  creationAnsweredAt: z
    .string()
    .max(64)
    .optional()
    .describe('When the service answered the request that created it; absent if it was taken over.'),
  creationUnclear: z
    .object({
      since: z.string().max(64).describe('What was created before this time is not what it created.'),
      until: z.string().max(64).describe('What was created after this time is not what it created.'),
    })
    .optional()
    .describe(
      'Present while it is not known whether its creation was carried out, also if the resource is abandoned meanwhile. Before anything is created, the operator looks for what was.',
    ),
  heldSince: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Since when a brake of the account (spec.brakes) holds its deletion, or the creation of its gateway, also while something else keeps it from being tried.',
    ),
  heldAmong: z
    .int()
    .min(0)
    .optional()
    .describe(
      'With how many others, and itself, the brake held it at most, those that were let through included: that they are fewer by now lets none of them go.',
    ),
  vanishedID: z
    .string()
    .max(64)
    .optional()
    .describe(
      'ID of what vanished from the service although nothing here deleted it, until there is something in its place.',
    ),
  missingSince: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Since when the account does not show what this resource has, nor much else (ManyMissing). While it is there, nothing is made in its place unless the account shows the others again or a person says that they are gone.',
    ),
  failingSince: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Since when a call to what it has at the service has failed, whatever it waits for meanwhile and however its spec is edited; absent once it is Synced. A creation that fails does not count.',
    ),
  accountRef: z
    .object({
      kind: z.enum(['CloudAccount', 'ClusterCloudAccount']).describe('CloudAccount or ClusterCloudAccount.'),
      name: z.string().max(253).describe('Name of the account.'),
    })
    .optional()
    .describe('The account of this resource, as resolved.'),
  observedGeneration,
  found: z
    .array(z.string().max(64))
    .max(64)
    .optional()
    .describe(
      'Fields of applied that already had their value when this resource took them over, and that it never wrote: if they leave the spec, they stay as they are at the service.',
    )
    .meta(listSet()),
  pending: z
    // A part of a field is named after the field: `carriers/` and a carrier's name.
    .array(z.string().max(128))
    .max(256)
    .optional()
    .describe('Fields that were about to be written when this status was; they count as written by this resource.')
    .meta(listSet()),
  drift: z
    .array(
      z.object({
        field: z.string().max(253).describe('The field of the spec.'),
        desired: z.string().max(1024).describe('What the spec says.'),
        observed: z.string().max(1024).describe('What the service has.'),
      }),
    )
    .max(128)
    .optional()
    .describe('Fields that differ at the service and are not being corrected (Observe, or something is in the way).')
    .meta(listMap('field')),
  plan: z
    .object({
      hash: z.string().max(64).describe('What the annotation edgeline.dev/approve must be for it to be carried out.'),
      calls: z
        .array(
          z.object({
            step: z.string().max(64).describe('What would be done, such as setIP.'),
            fields: z
              .array(
                z.object({
                  field: z.string().max(253).describe('The field of the spec.'),
                  before: z.string().max(1024).describe('What the service has; a secret is (secret).'),
                  after: z.string().max(1024).describe('What it would have.'),
                }),
              )
              .max(64)
              .optional()
              .describe('What it would change.')
              .meta({ 'x-kubernetes-list-type': 'atomic' }),
          }),
        )
        .max(64)
        .describe('The calls, in their order.')
        .meta({ 'x-kubernetes-list-type': 'atomic' }),
      continues: z
        .boolean()
        .optional()
        .describe('More is to be done after that, which will have to be approved by itself.'),
    })
    .optional()
    .describe('What waits for approval.'),
  approval: z
    .object({
      asked: z.string().max(64).optional().describe('Tells what is asked for now from all that was asked for before.'),
      hash: z.string().max(64).optional().describe('The plan that was approved and is being carried out.'),
      id: z.string().max(64).optional().describe('ID, at the service, of what it is about.'),
      generation: z.int().min(0).optional().describe('Generation of the spec that it carries out.'),
      calls: z
        .array(z.string().max(64))
        .max(64)
        .optional()
        .describe('Keyed digests of the calls that are approved and not known to be done.')
        .meta({ 'x-kubernetes-list-type': 'atomic' }),
    })
    .optional()
    .describe('What is on record of approvals, for a process that goes on with the work of another.'),
  lastHandledReconcileAt: z
    .string()
    .max(256)
    .optional()
    .describe('The last value of the annotation edgeline.dev/reconcile-at that was acted on.'),
  conditions,
};
