package io.jobqueue.sample.signup;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * What a user enters to sign up.
 *
 * @param name a name
 * @param email an e-mail address, as far as mail servers everywhere take it
 */
record Profile(
		@NotBlank(message = "Please tell us your name.") @Size(max = 100,
				message = "Please use at most {max} characters.") @Pattern(regexp = "\\P{Cntrl}*",
						message = "Please leave out control characters.") String name,
		@NotBlank(message = "Please tell us your e-mail address.") @Size(max = 254,
				message = "Please use at most {max} characters.") @Email(regexp = "\\p{ASCII}*",
						message = "Please enter an e-mail address like ada@example.org.") String email) {

}
