import { useState } from "react";
import { tenantText } from "../text/tenant-text";
import { Icon } from "./icon";

const { document: words } = tenantText;
const shownTypes = new Set(["image/jpeg", "image/png"]);
const zooms = [1, 1.5, 2, 3];

interface Props {
  readonly name: string;
  /** Path of its bytes at this door. */
  readonly src: string;
  readonly mediaType: string;
}

/** A document as it was uploaded. A picture is shown, with buttons to turn and enlarge it; anything else is offered as a file. */
export function DocumentView({ name, src, mediaType }: Props) {
  const [zoom, setZoom] = useState(0);
  const [turns, setTurns] = useState(0);
  const [isBroken, setIsBroken] = useState(false);
  const isShown = shownTypes.has(mediaType) && !isBroken;
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {isShown && (
          <>
            <button
              type="button"
              className="button small"
              disabled={zoom === zooms.length - 1}
              onClick={() => setZoom((now) => now + 1)}
            >
              {words.larger}
            </button>
            <button
              type="button"
              className="button small"
              disabled={zoom === 0}
              onClick={() => setZoom((now) => now - 1)}
            >
              {words.smaller}
            </button>
            <button type="button" className="button small" onClick={() => setTurns((now) => (now + 1) % 4)}>
              {words.turn}
            </button>
          </>
        )}
        <a className="button small" href={src} download>
          <Icon name="download" />
          {words.save}
        </a>
      </header>
      {isShown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section className="viewer" tabIndex={0} aria-label={words.picture}>
          <img
            src={src}
            alt={words.alt(name)}
            style={{ width: `${(zooms[zoom] ?? 1) * 100}%`, transform: `rotate(${turns * 90}deg)` }}
            onError={() => setIsBroken(true)}
          />
        </section>
      ) : (
        <p className="inside quiet">{words.notShown(mediaType)}</p>
      )}
    </section>
  );
}
