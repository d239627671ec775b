import * as z from 'zod';
import { conditions, observedGeneration } from '../common/schema.ts';

/** So many commands may ask at a time. */
export const MOST_ALLOTMENTS = 16;
/** Of allotments that are counted so many are named: all of a list, and of the one before. */
export const MOST_COUNTED = 2 * MOST_ALLOTMENTS;
/** So many deletions and creations an account has room to record: a third of what etcd takes. */
export const MOST_GRANTS = 4000;

/** The status of both kinds of account. */
export const cloudAccountStatus = z
  .object({
    observedGeneration,
    identity: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Keyed digest of the base URL and access token with which the objects of the resources were last found.',
      ),
    budget: z
      .object({
        used: z.int().min(0).describe('Web acceleration requests that the operator sent in the last hour.'),
        limit: z.int().min(0).describe('Maximum number of them in any rolling hour.'),
        resetsAt: z.string().max(64).optional().describe('When the oldest of them is an hour old and stops counting.'),
        reserved: z
          .int()
          .min(0)
          .optional()
          .describe(
            'How many more may have been sent since then, by the operator or by commands of `edgeline`; after a restart they count as sent.',
          ),
        identity: z
          .string()
          .max(64)
          .optional()
          .describe(
            'Keyed digest of all this, of this resource, and of the base URL and access token of which it was counted.',
          ),
        recordedAt: z.string().max(64).describe('When this was counted.'),
        sent: z
          .object({
            byAge: z
              .array(z.int().min(0))
              .max(13)
              .describe(
                'How many of those used were sent in the five minutes that had just begun, and in each five minutes before them, the last first.',
              )
              .meta({ 'x-kubernetes-list-type': 'atomic' }),
            latestSeconds: z
              .int()
              .min(0)
              .optional()
              .describe('How long before this was counted the latest of those five minutes began, in seconds.'),
            identity: z.string().max(64).describe('Keyed digest of this and of the record that it is of.'),
          })
          .optional()
          .describe('How old what was used is; without it all counts, after a restart, as sent when this was counted.'),
        counted: z
          .array(z.string().max(64))
          .max(MOST_COUNTED)
          .optional()
          .describe('The latest of the requests that commands asked for, by their ID, which are counted in this.')
          .meta({ 'x-kubernetes-list-type': 'atomic' }),
      })
      .optional()
      .describe('The web acceleration budget; refreshed at most once a minute.'),
    closed: z
      .object({
        until: z.string().max(64).describe('Until when.'),
        identity: z
          .string()
          .max(64)
          .describe('Keyed digest of this, of this resource, and of the base URL and access token.'),
      })
      .optional()
      .describe(
        'There while the service wants no web acceleration requests of the account, so that a process that begins with it sends none either.',
      ),
    allotments: z
      .array(
        z.object({
          id: z.string().min(1).max(64).describe('Tells it from the others.'),
          requests: z.int().min(1).max(500).describe('How many requests.'),
          at: z.string().max(64).describe('When they were asked for; they are sent within five minutes.'),
          identity: z
            .string()
            .max(128)
            .describe('Keyed digest of all this, of this resource, and of the base URL and access token.'),
        }),
      )
      .max(MOST_ALLOTMENTS)
      .optional()
      .describe(
        'Web acceleration requests that commands of `edgeline` ask for before they send them. The operator counts them in the budget, and removes them from here.',
      )
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    resources: z
      .object({
        sims: z.int().min(0).describe('Sims.'),
        gateways: z.int().min(0).describe('MobileGateways.'),
        sites: z.int().min(0).describe('WebAccelSites.'),
        certificates: z.int().min(0).optional().describe('SiteCertificates.'),
      })
      .optional()
      .describe('How many resources of the cluster use the account.'),
    brakes: z
      .array(
        z.object({
          action: z.enum(['Deletion', 'Creation']).describe('What was let through.'),
          namespace: z.string().max(63).describe('Namespace of the resource.'),
          key: z
            .string()
            .max(128)
            .describe('UID of the resource; of what was created once more also the ID that vanished.'),
          at: z.string().max(64).describe('When it was let through.'),
        }),
      )
      .max(MOST_GRANTS)
      .optional()
      .describe(
        'Deletions at the service and creations of gateways of the last hour, each put on record before it was sent; spec.brakes counts them.',
      )
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    conditions,
  })
  .describe('What was observed.');
