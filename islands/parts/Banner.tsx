interface BannerProps {
  shown: boolean;
  text: string;
}

// Below the button of a form that ends at the edge of the window nobody would see it.
const reveal = (banner: HTMLElement | null) => banner?.scrollIntoView({ block: "nearest" });

/** The error banner. Its live region is always there: not every screen reader speaks one that appears together with its text. */
export function Banner({ shown, text }: BannerProps) {
  return (
    // The stylesheet keeps room for the text, so that nothing moves when it comes.
    <div className="form__alert" role="alert" data-text={text}>
      {shown && (
        <p className="banner" ref={reveal}>
          {text}
        </p>
      )}
    </div>
  );
}
