import * as z from 'zod';
import { datetime, id, list, maybe, moment, present, text } from '../wire/scalars.ts';

const nameWire = maybe(
  z.looseObject({ CommonName: text, Organization: text, OrganizationalUnit: text, Country: text }),
);

/** A certificate object (`api.md`, Certificate). There is one without an ID where a generation is empty. */
const certificateWire = maybe(
  z.looseObject({
    ID: text,
    SiteID: text,
    CertificateChain: text,
    SerialNumber: text,
    NotBefore: moment,
    NotAfter: moment,
    Issuer: nameWire,
    Subject: nameWire,
    DNSNames: list(id),
    SHA256Fingerprint: text,
    CreatedAt: datetime,
    UpdatedAt: datetime,
  }),
);
export type CertificateWire = NonNullable<z.infer<typeof certificateWire>>;

const generations = maybe(
  z.looseObject({
    Current: certificateWire,
    Old: z.preprocess(
      (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]),
      z.array(certificateWire),
    ),
  }),
);

/** `Certificate` may be `[]` when there is none, and `Old` a single object or nothing. */
export const certificatesWire = z.looseObject({ Certificate: present(generations, 'the certificates') });
/** What an upload answers is not documented. */
export const uploadWire = z.looseObject({ Certificate: generations });
