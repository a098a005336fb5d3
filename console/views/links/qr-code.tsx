import { useState } from 'preact/hooks';
import { qrDefaults } from '../../../core/pages/qr-options.ts';
import { ChoiceField, Field, TextField } from '../../parts/field.tsx';
import { Fault } from '../../parts/notice.tsx';
import { useCall } from '../../use-call.ts';

const levels = [
  ['L', 'L: 7 % may be lost'],
  ['M', 'M: 15 %'],
  ['Q', 'Q: 25 %'],
  ['H', 'H: 30 %'],
] as const;

interface QrCodeProps {
  readonly shortUrl: string;
  readonly code: string;
}

/** A link's QR code in the colours and the size that one chooses, to look at and to download. */
export const QrCode = ({ shortUrl, code }: QrCodeProps) => {
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({ ...qrDefaults });
  const drawn = useCall('qrCode', { shortUrl, options }, shortUrl);
  const set = (name: string) => (value: string) => setOptions((before) => ({ ...before, [name]: value }));
  const isClear = options.background === 'transparent';
  const { data, error } = drawn;
  return (
    <div class="qr-code">
      {/* The server draws it; it holds nothing but squares. */}
      <div
        class="qr"
        role="img"
        aria-label={`QR code of ${shortUrl}`}
        dangerouslySetInnerHTML={{ __html: data?.svg ?? '' }}
      />
      {error !== undefined && <Fault>{error}</Fault>}
      {data && error === undefined && (
        <p class="buttons start">
          <a class="button small" href={`data:image/png;base64,${data.png}`} download={`${code}.png`}>
            Download PNG
          </a>
          <a
            class="button small"
            href={`data:image/svg+xml,${encodeURIComponent(data.svg)}`}
            download={`${code}.svg`}
          >
            Download SVG
          </a>
        </p>
      )}
      <details>
        <summary>Colours, size and error correction</summary>
        <div class="pair">
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
            value={options.level ?? ''}
            choices={levels}
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
        The same at <code>{addressOf(shortUrl, options)}</code>
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
  <Field label={label}>
    {(ids) => (
      <input
        {...ids}
        type="color"
        value={`#${value}`}
        onInput={(event) => onColor(event.currentTarget.value.slice(1))}
      />
    )}
  </Field>
);

/** With what differs from the defaults. */
const addressOf = (shortUrl: string, options: Readonly<Record<string, string>>): string => {
  const asked = Object.entries(options).filter(
    ([name, value]) => value !== qrDefaults[name as keyof typeof qrDefaults],
  );
  return `${shortUrl}/qr.png${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''}`;
};
