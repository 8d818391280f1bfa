// Buttons that copy (templates/_components/copy_button.html). What they then say is also said to who does not see it.

const said = document.createElement("div");
said.className = "only-read";
said.setAttribute("role", "status");

// Browsers let a page copy only if it came by HTTPS or from this machine; otherwise the text can be selected.
const buttons = document.querySelectorAll("[data-copy]");
if (buttons.length) document.body.append(said);
buttons.forEach((button) => {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      tell(button, button.dataset.copied);
    } catch {
      getSelection().selectAllChildren(text);
      tell(button, button.dataset.byHand);
    }
  });
});

function tell(button, words) {
  button.removeAttribute("aria-label"); // or it would go on to say what is to be done
  button.querySelector("span").textContent = words;
  said.textContent = words;
}
