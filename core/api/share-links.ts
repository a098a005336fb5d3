import * as z from 'zod';
import { linkCode } from '../links/stored-link-schema.ts';
import { shareLimits } from '../share-links/share-limits.ts';
import { shareRequest } from '../share-links/share-request.ts';
import { endpoint } from './endpoint.ts';

export const createShareLink = endpoint({
  method: 'POST',
  path: '/share-links',
  tag: 'Share links',
  summary: 'Create share link',
  description:
    'Creates a link from the template of a publishable key. If an equal request has created one, the call returns that link with status 200. The template defines which fields a request may set. Web pages of any origin may call this.',
  body: shareRequest,
  bodyBytes: shareLimits.bytes,
  status: 201,
  newIf: 'isNew',
  publishable: true,
  result: z
    .object({
      code: linkCode,
      shortUrl: z.string().meta({ format: 'uri', description: 'The short URL to share.' }),
      link: z.string().meta({ format: 'uri', description: 'The destination.' }),
      expiresAt: z
        .string()
        .nullable()
        .meta({ format: 'date-time', description: 'When the link expires; null for never.' }),
    })
    .meta({ id: 'ShareLink' }),
  failures: {
    BAD_REQUEST: 'The link that an equal request made is paused or blocked.',
    SUBSCRIPTION_REQUIRED: 'The project has no active subscription.',
    LIMIT_REACHED: 'The key has made as many links as its template allows.',
  },
  uses: [
    'shareLinks.key',
    'shareLinks.find',
    'shareLinks.create',
    'projects.get',
    'apps.existing',
    'destinations.hosts',
  ],
  example: {
    body: { link: 'https://shop.example.com/join/42', data: { by: 'ann' } },
    data: {
      code: 'x7Kq2mZp9a',
      shortUrl: 'https://go.example.com/x7Kq2mZp9a',
      link: 'https://shop.example.com/join/42',
      expiresAt: '2027-02-18T09:30:00.000Z',
    },
  },
});
