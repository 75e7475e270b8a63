package io.jobqueue.sample.mail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

/**
 * Shows the mails of a signup.
 */
@Controller
class MailController {

	private final FiledMails mails;

	MailController(FiledMails mails) {
		this.mails = mails;
	}

	@GetMapping("/mails/{signup}")
	ModelAndView read(@PathVariable long signup) throws IOException {
		List<Mail> mails = new ArrayList<>();
		for (Path file : this.mails.ofSignup(signup)) {
			mails.add(Mail.read(file));
		}
		return new ModelAndView("mails", Map.of("signup", signup, "mails", mails));
	}

}
