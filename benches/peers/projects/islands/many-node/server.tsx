import { renderToString } from "react-dom/server";
import Form from "./islands/ContactForm";

export const render = (props: Parameters<typeof Form>[0]) => renderToString(<Form {...props} />);
