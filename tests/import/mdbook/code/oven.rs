fn oven() {
    heat();
    // ANCHOR: fire
    fire();
    // ANCHOR_END: fire
}
