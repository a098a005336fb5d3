import * as fc from 'fast-check';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { appLinkOf } from '../../../core/short-urls/app-link.ts';
import { clickedCampaign } from '../../../core/short-urls/clicked-campaign.ts';

const now = new Date('2026-03-01T12:00:00Z');
const linkOf = (payload: Partial<LinkPayload>) =>
  ({ status: 'ACTIVE', payload: { link: 'https://shop.example/', ...payload } }) as const;
const clicked = (payload: Partial<LinkPayload>, query = '') =>
  clickedCampaign(linkOf(payload), { shortUrl: 'https://go.example/spring', query, now });

const spring = { campaign: { utm_campaign: 'spring', utm_source: 'mail' } };

test.each<[string, Partial<LinkPayload>, string, string | undefined]>([
  ['none', {}, '', undefined],
  ['the link’s', spring, '', 'spring'],
  ['that of its destination', { link: 'https://shop.example/?utm_campaign=old' }, '', 'old'],
  ['the visit’s, which is stronger', spring, 'utm_campaign=autumn', 'autumn'],
  ['the link’s, if it ignores queries', { ...spring, query: 'ignore' }, 'utm_campaign=autumn', 'spring'],
  ['the link’s, if queries only add to it', { ...spring, query: 'append' }, 'utm_campaign=autumn', 'spring'],
  ['the first of several', {}, 'utm_campaign=one&utm_campaign=two', 'one'],
  ['none, if the first is empty', {}, 'utm_campaign=&utm_campaign=two', undefined],
  ['none, if it is only a name', {}, 'utm_campaign', undefined],
  ['a decoded one', {}, '%75tm_campaign=Sommer%20%C3%BC+50%25=', 'Sommer ü 50%='],
  ['a trimmed one', {}, 'utm_campaign=%0A+spring+%09', 'spring'],
  ['one of blanks', {}, 'utm_campaign=+%20', undefined],
  ['capitals', {}, 'utm_campaign=Spring&UTM_CAMPAIGN=no', 'Spring'],
  ['one of 64 bytes', {}, `utm_campaign=${'%C3%BC'.repeat(32)}`, 'ü'.repeat(32)],
  ['one of 65 bytes', {}, `utm_campaign=x${'%C3%BC'.repeat(32)}`, 'other'],
  ['one that can’t be decoded', {}, 'utm_campaign=%zz', 'other'],
  ['one of broken bytes', {}, 'utm_campaign=%FF', 'other'],
  ['a control character', {}, 'utm_campaign=a%00b', 'other'],
  ['a direction mark', {}, 'utm_campaign=a%E2%80%AEb', 'other'],
  ['a name of objects', {}, 'utm_campaign=__proto__', '__proto__'],
  ['none, if the address can’t be opened', { link: 'https://go.example/x?utm_campaign=old' }, '', undefined],
])('a click has %s', (_, payload, query, campaign) => {
  expect(clicked(payload, query).campaign).toBe(campaign);
});

test('campaign and source are own as far as the visit changes nothing of them', () => {
  const own = { campaign: 'spring', source: 'mail' };
  expect(clicked(spring)).toEqual({ ...own, own });
  expect(clicked(spring, 'utm_source=qr&x=1')).toEqual({ ...own, source: 'qr', own });
  expect(clicked({}, 'utm_source=qr')).toEqual({ source: 'qr', own: {} });
});

test('the address of link.json has them, as browsers read it', () => {
  const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('spring', 'a+b', 'ü', '', ' x'));
  const name = fc.constantFrom('utm_campaign', 'utm_source', 'utm_medium', 'x');
  const pairs = fc.array(fc.tuple(name, text), { maxLength: 4 });
  const search = (of: [string, string][]) => new URLSearchParams(of).toString();
  const query = fc.constantFrom('ignore', 'append', undefined);
  fc.assert(
    fc.property(pairs, pairs, fc.record({ utm_campaign: text, utm_source: text }), query, (...given) => {
      const [own, visits, campaign, query] = given;
      const link = linkOf({ link: `https://shop.example/?${search(own)}`, campaign, query });
      const arriving = { shortUrl: 'https://go.example/spring', query: search(visits), now };
      const found = appLinkOf({ code: 'spring', link }, {}, { ...arriving, shown: '' });
      const { searchParams } = new URL(found?.link ?? '');
      const wanted = (parameter: string) => {
        const value = searchParams.get(parameter)?.trim() || undefined;
        return value && /\p{Cc}/u.test(value) ? 'other' : value;
      };
      expect(clickedCampaign(link, arriving)).toMatchObject({
        campaign: wanted('utm_campaign'),
        source: wanted('utm_source'),
      });
    }),
  );
});
