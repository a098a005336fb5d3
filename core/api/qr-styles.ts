import { qrStyle } from '../qr-styles/qr-style.ts';
import { endpoint } from './endpoint.ts';

const shared = { path: '/qr-style', tag: 'QR style', result: qrStyle, servedBy: 'createMobileApp' } as const;

const example = { color: '1b2a6b', background: null, level: 'Q', logo: null } as const;

export const getQrStyle = endpoint({
  ...shared,
  method: 'GET',
  summary: 'Get QR style',
  scope: 'links:read',
  uses: ['qrStyles.get'],
  example: { data: example },
});

export const updateQrStyle = endpoint({
  ...shared,
  method: 'PUT',
  summary: 'Update QR style',
  body: qrStyle,
  scope: 'links:write',
  uses: ['qrStyles.put'],
  example: { body: { color: '1b2a6b', level: 'Q' }, data: example },
});
