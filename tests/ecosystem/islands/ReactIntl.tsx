import { useState } from "react";
import { FormattedMessage, IntlProvider } from "react-intl";

export default function ReactIntl() {
  const [name, setName] = useState("rye");
  return (
    <IntlProvider locale="en" messages={{ loaf: "One {name} loaf" }}>
      <button type="button" data-act onClick={() => setName("spelt")}>
        <FormattedMessage id="loaf" values={{ name }} />
      </button>
      {name === "spelt" && <p data-done>{name}</p>}
    </IntlProvider>
  );
}
