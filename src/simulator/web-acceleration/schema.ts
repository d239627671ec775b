import * as z from 'zod';
import { nameField } from '../fields.ts';

const text = z.string('write a string');

const origin = z.string('write an origin').regex(/^https?:\/\/[^/\s]+$/, 'write an origin such as https://example.jp');

const corsRules = z
  .array(
    z
      .object(
        {
          AllowsAnyOrigin: z.boolean('write true or false').nullish(),
          AllowedOrigins: z.array(origin, 'write a list of origins').max(4, 'write at most 4 origins').nullish(),
        },
        'write an object',
      )
      // Clients send both members; the one that says nothing is no rule.
      .transform(({ AllowsAnyOrigin, AllowedOrigins }) => ({
        ...(AllowsAnyOrigin === true && { AllowsAnyOrigin }),
        ...(AllowedOrigins && AllowedOrigins.length > 0 && { AllowedOrigins }),
      }))
      .refine(
        (rule) => Object.keys(rule).length === 1,
        'write either AllowsAnyOrigin: true or AllowedOrigins, at least one',
      ),
    'write a list',
  )
  .max(1, 'write at most one rule');

/** A setting that is one of some numbers: a number in the Documented dialect, its digits in a string in the Extended. */
function choice(extended: boolean, ...values: readonly number[]) {
  const wanted = values.map((value) => (extended ? `"${value}"` : String(value))).join(' or ');
  return z
    .unknown()
    .refine((value) => values.some((one) => value === (extended ? String(one) : one)), `write ${wanted}`)
    .transform(Number);
}

/** `DefaultCacheTTL` is a number in both dialects; the Extended one may send its digits. */
function cacheTTL(extended: boolean) {
  return z
    .unknown()
    .refine((value) => {
      const number = extended && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && Number.isInteger(number) && number >= -1 && number <= 604_800;
    }, 'write -1 or a whole number from 0 to 604800')
    .transform(Number);
}

/** What `PUT /site/:id` takes (`api.md`, Site settings accepted by PUT). */
function settingsShape(extended: boolean) {
  return {
    Name: nameField.optional(),
    RequestProtocol: choice(extended, 0, 1, 2).optional(),
    OriginType: choice(extended, 0, 1).optional(),
    OriginProtocol: z.enum(['http', 'https'], 'write http or https').optional(),
    DefaultCacheTTL: cacheTTL(extended).optional(),
    VarySupport: choice(extended, 0, 1).optional(),
    NormalizeAE: choice(extended, 1, 3).optional(),
    CORSRules: corsRules.nullish(),
    OnetimeURLSecrets: (extended
      ? z.array(text, 'write a list of strings').nullable()
      : text.transform((secret) => (secret === '' ? null : [secret]))
    ).optional(),
    Origin: text.min(1, 'write a host name or an address').optional(),
    HostHeader: text.optional(),
    BucketName: text.min(1, 'write the name of a bucket').optional(),
    S3Endpoint: text.min(1, 'write a host name').optional(),
    S3Region: text.min(1, 'write a region').optional(),
    AccessKeyID: text.min(1, 'write the key ID').optional(),
    SecretAccessKey: text.min(1, 'write the secret').optional(),
    DocIndex: choice(extended, 0, 1).optional(),
  };
}

const bodies = [false, true].map((extended) => ({
  change: z.object({ Site: z.object(settingsShape(extended), 'write an object') }),
  create: z.object({
    Site: z.object(
      {
        ...settingsShape(extended),
        Name: nameField,
        DomainType: z.enum(['own_domain', 'subdomain'], 'write own_domain or subdomain'),
        Domain: text.optional(),
      },
      'write an object',
    ),
  }),
}));

function bodiesOf(extended: boolean) {
  const found = bodies[extended ? 1 : 0];
  if (!found) throw new Error('there is a pair of schemas for each dialect');
  return found;
}

export const changeSiteBody = (extended: boolean) => bodiesOf(extended).change;
export const createSiteBody = (extended: boolean) => bodiesOf(extended).create;
export type SiteChange = z.infer<ReturnType<typeof changeSiteBody>>['Site'];

export const statusBody = z.object({
  Site: z.object({ Status: z.enum(['enabled', 'disabled'], 'write enabled or disabled') }, 'write an object'),
});

export const aclBody = z.object({ ACL: text });

const pem = (what: string) => z.string(`write ${what} in PEM`).min(1, `write ${what} in PEM`);
export const certificateBody = z.object({
  Certificate: z.object(
    {
      CertificateChain: pem('the certificate and its chain'),
      // The public clients send an empty one for the key that is stored.
      Key: z
        .string('write the private key in PEM')
        .transform((key) => (key === '' ? undefined : key))
        .optional(),
    },
    'write an object with CertificateChain and Key',
  ),
});

export const logUploadBody = z.object({ SiteLogUploadConfig: z.looseObject({}, 'write an object') });
export const deleteAllCacheBody = z.object({ Site: z.object({ Domain: text.min(1, 'write a domain') }) });
export const deleteCacheBody = z.object({
  URL: z.array(z.url('write a URL'), 'write a list of URLs').min(1, 'write at least one URL'),
});
