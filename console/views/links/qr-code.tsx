import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { qrParameter } from '../../../core/hosts/short-address.ts';
import { qrDefaults } from '../../../core/pages/qr-options.ts';
import { ChoiceField, FormField, TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { drawnQr, type QrPicture, qrPicture } from './qr-picture.ts';

const levels = [
  ['L', 'L: 7 % may be lost'],
  ['M', 'M: 15 %'],
  ['Q', 'Q: 25 %'],
  ['H', 'H: 30 %'],
] as const;

/** What a logo covers has to be made up for. */
const logoLevel = 'H';

type Options = Readonly<Record<string, string>>;

/** A code as it is drawn, or why it can't be. */
const useQr = (shortUrl: string, options: Options, logo?: ImageBitmap) => {
  const asked = JSON.stringify(options);
  return useMemo((): { readonly picture?: QrPicture; readonly error?: string } => {
    try {
      // A visitor who scans it is counted as such.
      const text = `${shortUrl}?${qrParameter}`;
      return { picture: qrPicture(drawnQr(text, JSON.parse(asked)), logo, text) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }, [asked, logo, shortUrl]);
};

const Picture = ({ picture, shortUrl }: { picture: QrPicture | undefined; shortUrl: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...(picture ? [picture.canvas] : [])), [picture]);
  return <div ref={place} class="qr" role="img" aria-label={`QR code of ${shortUrl}`} />;
};

/** A link's QR code as the project draws it. */
export const QrImage = ({ shortUrl }: { shortUrl: string }) => (
  <Picture picture={useQr(shortUrl, qrDefaults).picture} shortUrl={shortUrl} />
);

interface QrCodeProps {
  readonly shortUrl: string;
  readonly code: string;
}

/** A link's QR code in the colours and the size that one chooses, with a logo or without, to look at and to download. */
export const QrCode = ({ shortUrl, code }: QrCodeProps) => {
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({ ...qrDefaults });
  const [logo, setLogo] = useState<ImageBitmap>();
  const [fault, setFault] = useState<string>();
  const asked = { ...options, ...(logo && { level: logoLevel }) };
  const { picture, error } = useQr(shortUrl, asked, logo);
  const set = (name: string) => (value: string) => setOptions((before) => ({ ...before, [name]: value }));
  const isClear = options.background === 'transparent';
  const choose = (file: File | undefined) => {
    setFault(undefined);
    if (!file) return setLogo(undefined);
    createImageBitmap(file).then(setLogo, () =>
      setFault('The browser can’t read that picture. Choose a PNG, JPEG or WebP file.'),
    );
  };
  const unread =
    picture?.isReadable === false
      ? 'A reader fails on this code: choose a plainer logo, or a larger size.'
      : undefined;
  const wrong = error ?? fault ?? unread;
  return (
    <div class="qr-code">
      <Picture picture={picture} shortUrl={shortUrl} />
      {wrong !== undefined && <FaultNotice>{wrong}</FaultNotice>}
      {picture && wrong === undefined && (
        <p class="buttons start">
          <a class="button small" href={picture.canvas.toDataURL()} download={`${code}.png`}>
            <Icon name="download" /> Download PNG
          </a>
          <a
            class="button small"
            href={`data:image/svg+xml,${encodeURIComponent(picture.svg)}`}
            download={`${code}.svg`}
          >
            <Icon name="download" /> Download SVG
          </a>
        </p>
      )}
      <details>
        <summary>Logo, colours, size and error correction</summary>
        <div class="pair">
          <FormField label="Logo" hint="It goes into the middle, and stays in this page.">
            {(ids) => (
              <input
                {...ids}
                type="file"
                accept="image/png,image/jpeg,image/webp"
                onChange={({ currentTarget: { files } }) => choose(files?.[0])}
              />
            )}
          </FormField>
          <ColorField label="Colour" value={options.color ?? ''} onColor={set('color')} />
          {!isClear && (
            <ColorField label="Background" value={options.background ?? ''} onColor={set('background')} />
          )}
          <label class="check">
            <input
              type="checkbox"
              checked={isClear}
              onChange={({ currentTarget: { checked } }) =>
                set('background')(checked ? 'transparent' : qrDefaults.background)
              }
            />
            Transparent background
          </label>
          <ChoiceField
            label="Error correction"
            hint={logo && 'With a logo it is H.'}
            value={asked.level ?? ''}
            choices={levels.filter(([level]) => !logo || level === logoLevel)}
            onChoice={set('level')}
          />
          <TextField label="Size in pixels" type="number" value={options.size ?? ''} onText={set('size')} />
          <TextField
            label="Margin in modules"
            type="number"
            value={options.margin ?? ''}
            onText={set('margin')}
          />
        </div>
      </details>
      <p class="soft">
        Also served {logo && 'without the logo '}at <code>{addressOf(shortUrl, asked)}</code>
      </p>
    </div>
  );
};

interface ColorFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onColor: (digits: string) => void;
}

const ColorField = ({ label, value, onColor }: ColorFieldProps) => (
  <FormField label={label}>
    {(ids) => (
      <input
        {...ids}
        type="color"
        value={`#${value}`}
        onInput={(event) => onColor(event.currentTarget.value.slice(1))}
      />
    )}
  </FormField>
);

/** With what differs from the defaults. */
const addressOf = (shortUrl: string, options: Readonly<Record<string, string>>): string => {
  const asked = Object.entries(options).filter(
    ([name, value]) => value !== qrDefaults[name as keyof typeof qrDefaults],
  );
  return `${shortUrl}/qr.png${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''}`;
};
