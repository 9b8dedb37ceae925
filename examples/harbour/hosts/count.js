// What the host of the counter serves. It sets no cookie and knows no visitor: a path is all that it is sent.
fetch(new URL("/event", document.currentScript.src), {
  method: "POST",
  body: location.pathname,
  credentials: "omit",
  keepalive: true,
});
