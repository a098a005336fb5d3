import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { qrParameter } from '../../../core/hosts/short-address.ts';
import { logoLevel, optionsOf, qrDefaults, styleParameters } from '../../../core/qr-styles/qr-options.ts';
import { defaultStyle } from '../../../core/qr-styles/stored-style.ts';
import { type CallOutput, callService, client } from '../../calls/client.ts';
import { useAction, useCall } from '../../calls/use-call.ts';
import { Check } from '../../components/checks.tsx';
import { CommandHint } from '../../components/command.tsx';
import { ChoiceField, FormField, TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { announce, FaultNotice } from '../../components/notice.tsx';
import { labelOf } from './labels.ts';
import { logoOf, useLogo } from './logo.ts';
import { type QrPicture, qrPicture } from './qr-picture.ts';

const levels = [
  ['L', 'L: 7 % may be lost'],
  ['M', 'M: 15 %'],
  ['Q', 'Q: 25 %'],
  ['H', 'H: 30 %'],
] as const;

const sizes = [
  ['size', 'Size in pixels'],
  ['margin', 'Margin in modules'],
] as const;

type QrOptions = Readonly<Record<string, string>>;
type QrStyle = CallOutput<'qrStyle'>;

/** A drawn code, or the error. Without options, nothing is drawn yet. */
const useQr = (shortUrl: string, options: QrOptions | undefined, logo?: HTMLImageElement) => {
  const asked = options && JSON.stringify(options);
  return useMemo((): { readonly picture?: QrPicture; readonly error?: string } => {
    if (asked === undefined) return {};
    try {
      // The parameter makes analytics count scans.
      const text = `${shortUrl}?${qrParameter}`;
      return { picture: qrPicture(text, JSON.parse(asked), logo) };
    } catch (error) {
      const { message } = error as Error;
      return {
        error: message.replace(/^(color|size|margin)/, (name) =>
          name === 'color' ? 'The colour' : labelOf(name),
        ),
      };
    }
  }, [asked, logo, shortUrl]);
};

const Picture = ({ picture, shortUrl }: { picture: QrPicture | undefined; shortUrl: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...(picture ? [picture.canvas] : [])), [picture]);
  return <div ref={place} class="qr" role="img" aria-label={`QR code of ${shortUrl}`} />;
};

type Edits = Partial<QrStyle> & { readonly size?: string; readonly margin?: string };

/** A code in the project's style, with the edits of this view. */
const useStyledQr = ({ project, shortUrl }: { project: string; shortUrl: string }, edits: Edits = {}) => {
  const style = useCall('qrStyle', { project }, project);
  const chosen = { ...style.data, ...edits };
  const { color, background, level, logo } = { ...defaultStyle, ...chosen };
  const { image, error } = useLogo(logo);
  const options = optionsOf(chosen);
  const isReady = style.data !== undefined && (logo === null || image !== undefined);
  const qr = useQr(shortUrl, isReady ? options : undefined, logo === null ? undefined : image);
  return {
    ...qr,
    error: style.error ?? error ?? qr.error,
    options,
    style: { color, background, level, logo },
    stored: style.data,
    reload: style.reload,
  };
};

interface QrImageProps {
  readonly project: string;
  readonly shortUrl: string;
}

/** A link's QR code in the project's style. */
export const QrImage = (props: QrImageProps) => {
  const { picture, error } = useStyledQr(props);
  if (error !== undefined) return <FaultNotice>{error}</FaultNotice>;
  return <Picture picture={picture} shortUrl={props.shortUrl} />;
};

interface QrCodeProps extends QrImageProps {
  /** Omitted for a sample, which only shows the project's style. */
  readonly code?: string;
}

/** The style of a project's QR codes, with a sample. */
export const ProjectQrStyle = ({ project }: { project: string }) => {
  const { data } = useCall('routing', { project }, project);
  return (
    <section class="card stack">
      <h2>QR codes</h2>
      {data && <QrCode project={project} shortUrl={`${data.shortBase ?? 'https://example.com'}/sample`} />}
      <CommandHint api="PUT /1.0/qr-style" />
    </section>
  );
};

/** A link's QR code with its options, to view and download. */
export const QrCode = ({ project, shortUrl, code }: QrCodeProps) => {
  const [edits, setEdits] = useState<Edits>({});
  const [fault, setFault] = useState<string>();
  const saving = useAction();
  const { picture, error, options, style, stored, reload } = useStyledQr({ project, shortUrl }, edits);
  const { logo } = style;
  const isSample = code === undefined;
  const edit = (more: Edits) => setEdits((before) => ({ ...before, ...more }));
  const set = (name: keyof Edits) => (value: string) => edit({ [name]: value });
  const isClear = options.background === 'transparent';
  const choose = (file: File | undefined) => {
    setFault(undefined);
    const refuse = ({ message }: Error) => setFault(message);
    if (file) logoOf(file).then((url) => edit({ logo: url }), refuse);
  };
  const save = (chosen: QrStyle) =>
    saving.run(async () => {
      await callService('setQrStyle', { project, style: chosen });
      edit(chosen);
      reload();
      announce('QR style saved');
    });
  const isStored = sameStyle(style, stored);
  const unread =
    picture?.isReadable === false
      ? 'A reader fails on this code: choose a plainer logo, or a larger size.'
      : undefined;
  const wrong = fault ?? error ?? saving.error ?? unread;
  return (
    <div class="qr-code">
      <Picture picture={picture} shortUrl={shortUrl} />
      <FaultNotice>{wrong}</FaultNotice>
      {picture && wrong === undefined && !isSample && (
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
      <details open={isSample}>
        <summary>{`Logo, colours${isSample ? '' : ', size'} and error correction`}</summary>
        <div class="pair">
          <ColorField label="Colour" value={options.color ?? ''} onColor={set('color')} />
          {!isClear && (
            <ColorField label="Background" value={options.background ?? ''} onColor={set('background')} />
          )}
          <ChoiceField
            label="Error correction"
            hint={logo !== null && 'With a logo it is H.'}
            value={options.level ?? ''}
            choices={levels.filter(([level]) => logo === null || level === logoLevel)}
            onChoice={set('level')}
          />
          <Check
            checked={isClear}
            onCheck={(checked) => set('background')(checked ? 'transparent' : qrDefaults.background)}
          >
            Transparent background
          </Check>
          <FormField label="Logo" hint="Shown in the middle.">
            {(ids) => (
              <input
                {...ids}
                type="file"
                accept="image/png,image/jpeg,image/svg+xml,image/webp"
                onChange={({ currentTarget: { files } }) => choose(files?.[0])}
              />
            )}
          </FormField>
          {logo !== null && (
            <button type="button" class="small" onClick={() => edit({ logo: null })}>
              Remove the logo
            </button>
          )}
          {!isSample &&
            sizes.map(([name, label]) => (
              <TextField
                key={name}
                label={label}
                type="number"
                value={options[name] ?? ''}
                onText={set(name)}
              />
            ))}
        </div>
        {client().offers('setQrStyle', project) && (
          <p class="buttons start">
            <button
              type="button"
              class={isSample ? 'primary' : 'small'}
              // It stores the whole style, which is known once there is a picture.
              disabled={saving.busy || wrong !== undefined || !picture}
              onClick={() => save(style)}
            >
              Use for all links of the project
            </button>
            {isSample && (
              <button type="button" disabled={saving.busy} onClick={() => save(defaultStyle)}>
                Reset to the default
              </button>
            )}
          </p>
        )}
      </details>
      {!isSample && (
        <p class="soft">
          Also served {logo !== null && !isStored && 'without the logo '}at{' '}
          <code>{addressOf(shortUrl, options, isStored)}</code>
        </p>
      )}
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

const sameStyle = (style: QrStyle, other: QrStyle = defaultStyle): boolean =>
  style.logo === other.logo &&
  styleParameters.every((name) => optionsOf({ ...style })[name] === optionsOf({ ...other })[name]);

/** The code's public address. It names the style, unless that is the project's. */
const addressOf = (shortUrl: string, options: QrOptions, isStored: boolean): string => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) {
    const isStyle = styleParameters.some((one) => one === name);
    if (value !== qrDefaults[name as keyof typeof qrDefaults] && !(isStyle && isStored))
      asked.set(name, value);
  }
  // A style of defaults must be named too.
  if (!isStored && !styleParameters.some((name) => asked.has(name))) asked.set('color', qrDefaults.color);
  return `${shortUrl}/qr.png${asked.size > 0 ? `?${asked}` : ''}`;
};
