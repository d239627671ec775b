import * as z from 'zod';

const FORMER = 'Of the version before; no longer written.';

const time = z.string().max(64).describe('When these figures were taken.');

const traffic = z.object({
  month: z.string().max(7).describe('The month, as YYYY-MM in the service’s time (UTC+9).'),
  uplinkBytes: z.int().min(0).describe('Bytes sent this month.'),
  downlinkBytes: z.int().min(0).describe('Bytes received this month.'),
  observedAt: time,
});

/**
 * What an operator of the version before wrote into the status, and this one takes out. It checks that the CRDs have all its
 * fields, so without these it would stop when the CRDs of this version are applied, before its successor has come; and
 * after a rollback, if the CRDs stay.
 */
export const formerSimStatus = z.object({ traffic: traffic.optional().describe(FORMER) });

/** The same of a MobileGateway. */
export const formerGatewayStatus = z.object({
  traffic: traffic
    .extend({ shaping: z.boolean().describe('Whether traffic is being slowed down.') })
    .optional()
    .describe(FORMER),
});

/** The same of a WebAccelSite. */
export const formerSiteStatus = z.object({
  usage: z
    .object({
      month: z.string().max(7).describe('The month, as YYYY-MM.'),
      accessCount: z.int().min(0).describe('Requests.'),
      bytesSent: z.int().min(0).describe('Bytes sent to visitors.'),
      cacheMissBytesSent: z.int().min(0).describe('Of these, bytes that were not in the cache.'),
      cacheHitRatioPercent: z.string().max(16).describe('Percent of the requests served from the cache.'),
      bytesCacheHitRatioPercent: z.string().max(16).describe('Percent of the bytes served from the cache.'),
      price: z.int().describe('In the service’s currency.'),
    })
    .optional()
    .describe(FORMER),
  sentLastWeekGiB: z.int().min(0).optional().describe(FORMER),
});
