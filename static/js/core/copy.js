// Buttons that copy: <button data-copy="id of the text" data-copied="what it says then" hidden>.

// Browsers let a page copy only if it came by HTTPS or from this machine; otherwise the text can be selected.
document.querySelectorAll("[data-copy]").forEach((button) => {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.querySelector("span").textContent = button.dataset.copied;
  });
});
