import * as z from 'zod';
import { listSet, validations } from '../../kubernetes/cel.ts';
import { managedKindNames } from '../../reconcile/kind-names.ts';

/** A brake is off, or has limits. */
const offWithoutLimits = (limits: readonly string[]) =>
  validations({
    rule: `!has(self.policy) || self.policy != 'Allow' || (${limits.map((limit) => `!has(self.${limit})`).join(' && ')})`,
    message: `policy Allow takes no limits: remove ${limits.join(' and ')}, or write policy: Hold`,
  });

const policy = z
  .enum(['Hold', 'Allow'])
  .optional()
  .describe('Hold (the default) holds them all when they are too many; Allow lets any number go.');

const maxPerHour = z.int().min(1).max(200).optional().describe('Maximum number in an hour. Without it, 10.');

/** How much may be deleted, or created, before a person is asked. */
export const brakes = z
  .object({
    deletions: z
      .object({
        policy,
        maxPerHour,
        maxPercent: z
          .int()
          .min(1)
          .max(100)
          .optional()
          .describe(
            'Maximum share, in percent, of the SIMs and gateways that the resources of a namespace have in the account; three are always allowed. Without it, 50.',
          ),
      })
      .optional()
      .describe('Deletions of SIMs and gateways at the service.')
      .meta(offWithoutLimits(['maxPerHour', 'maxPercent'])),
    gatewayCreations: z
      .object({
        policy,
        maxPerHour,
      })
      .optional()
      .describe('Creations of gateways, which cost money.')
      .meta(offWithoutLimits(['maxPerHour'])),
  })
  .optional()
  .describe(
    'What is held when it is too much at once, until a person lets it go. Each namespace that uses the account is counted by itself.',
  );

/** What a person has to approve. */
export const approval = z
  .object({
    policy: z
      .enum(['Changes', 'Everything'])
      .describe(
        'Changes: all that is written but the repair of drift needs approval. Everything: the repair of drift needs it, too.',
      ),
    exempt: z
      .array(z.enum(managedKindNames))
      .max(managedKindNames.length)
      .optional()
      .describe(
        'Kinds whose resources need none, for example SiteCertificate, so that certificates go on being renewed.',
      )
      .meta(listSet()),
  })
  .optional()
  .describe(
    'What a person has to approve before it is written at the service, of all resources that use the account: see docs/approval.md. Of this and the managementPolicy of a resource the stricter counts. Without it, nothing.',
  );
