"use client";

/** The search box's attributes, shared by its forms before and after the palette has loaded. */
export const box = {
  placeholder: "Search or go to…",
  className: "min-h-13 min-w-0 grow bg-transparent px-4 text-base placeholder:text-muted focus-visible:outline-none",
};

/** The palette's first line: the search box, and a Close button for devices without Escape. */
export const PaletteSearchBox = ({ close, children }: { close: () => void; children: React.ReactNode }) => (
  <div className="flex items-center border-b-2 border-line has-[input:focus-visible]:border-focus">
    {children}
    <button type="button" onClick={close} className="me-2 min-h-11 rounded-lg px-3 text-muted hover:text-ink">
      Close
    </button>
  </div>
);
