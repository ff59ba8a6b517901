/**
 * The Countersign mark as a seal. Its first stroke stands for the app, and the second for the
 * owner. While a button is held (`data-holding`), an animation draws the second stroke and a ring
 * around the seal (`signature` in app/globals.css).
 */
export const Seal = ({ signed }: { signed: boolean }) => (
  <svg
    viewBox="0 0 132 132"
    fill="none"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    className="signature size-33 shrink-0"
  >
    {signed ? null : (
      <>
        <circle cx="66" cy="66" r="63" strokeWidth="4" data-ring className="stroke-line" />
        <circle
          {...{ cx: 66, cy: 66, r: 63, pathLength: 1, strokeWidth: 4, transform: "rotate(-90 66 66)" }}
          data-stroke
          className="stroke-yes forced-colors:stroke-[Highlight]"
        />
      </>
    )}
    <circle
      {...{ cx: 66, cy: 66, r: 56 }}
      className={`forced-colors:fill-[ButtonText] ${signed ? "fill-yes" : "fill-ink"}`}
    />
    <g className={`forced-colors:stroke-[ButtonFace] ${signed ? "stroke-on-yes" : "stroke-on-ink"}`}>
      <path d="M33 64 49 80 80 38" strokeWidth="4" className="opacity-60 forced-colors:opacity-100" />
      <path d="M57 78 71 92 103 46" pathLength="1" strokeWidth="9" data-stroke={signed ? undefined : ""} />
    </g>
  </svg>
);
