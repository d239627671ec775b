import * as z from 'zod';
import { isMoment, momentRange } from '../dates.ts';
import { carriersField, iccidField, imeiField, ipv4Field, nameField } from '../fields.ts';

const text = z.string('write a string');
export const tagsField = z.array(text, 'write a list of strings');

/** Bodies of the SIM operations (`api.md`, SIM operations). Members of no meaning are let through. */
export const createSimBody = z.object(
  {
    CommonServiceItem: z.object(
      {
        Name: nameField,
        Description: text.nullish(),
        Tags: tagsField.nullish(),
        Status: z.object({ ICCID: iccidField }, 'write an object with ICCID'),
        Remark: z.object(
          { PassCode: z.string('write the pass code').min(1, 'write the pass code') },
          'write an object with PassCode',
        ),
        Provider: z.object({ Class: z.literal('sim', 'write sim') }, 'write an object with Class'),
      },
      'write an object',
    ),
  },
  'write an object',
);

export const changeSimBody = z.object({
  CommonServiceItem: z.object(
    { Name: nameField.optional(), Description: text.nullish(), Tags: tagsField.nullish() },
    'write an object',
  ),
});

export const carriersBody = z.object({ network_operator_config: carriersField });

export const ipBody = z.object({ sim: z.object({ ip: ipv4Field }, 'write an object with ip') });

export const imeiBody = z.object({ sim: z.object({ imei: imeiField }, 'write an object with imei') });

export const countQuery = z
  .object({ Count: z.int('write a whole number').nonnegative('write 0 or more').default(0) })
  .default({ Count: 0 });

const moment = z
  .string('write a datetime')
  .transform((value) => Date.parse(value.replace(/ (\d\d:\d\d)$/, '+$1')))
  .refine((value) => !Number.isNaN(value), 'write a datetime such as 2026-01-01T00:00:00.000+09:00')
  .refine(isMoment, `write a datetime ${momentRange}`);

export const spanQuery = z.object({ Start: moment.optional(), End: moment.optional() }).default({});
