// What the host of the tour serves. It is loaded after a yes, and never before.
document.querySelector("[data-tour]").textContent = "The tour begins at the lighthouse.";
