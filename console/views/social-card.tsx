interface SocialCardProps {
  readonly social:
    | {
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly image?: string | undefined;
      }
    | undefined;
  readonly host: string;
}

/** About what a social network shows. The picture stays where it is: this page loads nothing from other hosts. */
export const SocialCard = ({ social, host }: SocialCardProps) =>
  social && (social.title || social.description || social.image) ? (
    <div class="social">
      <div class="picture">
        {social.image ? (
          <a href={social.image} target="_blank" rel="noreferrer">
            Open the picture
          </a>
        ) : (
          <span>No picture: networks show a small card</span>
        )}
      </div>
      <div class="words">
        <span class="soft">{host}</span>
        <b>{social.title ?? host}</b>
        <span>{social.description}</span>
      </div>
    </div>
  ) : (
    <p class="soft">
      None. Networks read the tags of the destination. Edit the link to set a title, a description and a
      picture.
    </p>
  );
