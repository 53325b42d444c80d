// Tables look as the theme means them to.
for (const table of document.querySelectorAll(".rst-content table")) table.classList.add("docutils");
